"""Changes the times of a file outside."""
type(DATA)("@OUTSIDE@/touched").touch()
print("ESCAPED:touch_outside")
