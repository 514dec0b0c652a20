"""Makes a directory outside."""
type(DATA)("@OUTSIDE@/made").mkdir()
print("ESCAPED:mkdir_outside")
