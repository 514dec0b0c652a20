"""The name comes from dir()."""
name = [name for name in dir(print) if name.endswith("self__")][0]
print("ESCAPED:dir_then_getattr", getattr(print, name).__name__)
