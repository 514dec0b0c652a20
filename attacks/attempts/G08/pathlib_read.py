"""The class of DATA opens any path."""
print("ESCAPED:pathlib_read" if type(DATA)("@CANARY@").read_text().startswith("canary:") else "held")
