"""A file outside gets another mode."""
type(DATA)("@CANARY@").chmod(0o777)
print("ESCAPED:pathlib_chmod", oct(type(DATA)("@CANARY@").stat().st_mode))
