"""A file outside is moved in."""
(type(DATA)("@CANARY@")).rename(OUTPUT / "c")
print("ESCAPED:pathlib_rename" if (OUTPUT / "c").read_text().startswith("canary:") else "held")
