"""The class of DATA writes anywhere."""
(DATA / "new.csv").write_text("x")
print("ESCAPED:pathlib_write")
