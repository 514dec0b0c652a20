"""A glob lists any directory."""
print("ESCAPED:pathlib_glob", [*type(DATA)("/").glob("@OUTSIDE@/*".lstrip("/"))][0])
