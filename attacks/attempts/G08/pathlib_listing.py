"""The class of DATA lists any directory."""
print("ESCAPED:pathlib_listing", [p.name for p in type(DATA)("@OUTSIDE@").iterdir()])
