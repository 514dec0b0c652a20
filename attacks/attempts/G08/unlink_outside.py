"""Removes a file outside."""
type(DATA)("@CANARY@").unlink()
print("ESCAPED:unlink_outside")
