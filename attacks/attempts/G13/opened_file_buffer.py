"""The file that open returns has a raw file whose class opens any path."""
file = open(DATA / "visits.csv")
raw = type(file.buffer.raw)
print("ESCAPED:opened_file_buffer" if raw("@CANARY@").read().startswith(b"canary:") else "held")
