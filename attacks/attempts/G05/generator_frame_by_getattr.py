"""The same by built names."""
g = (x for x in ())
print("ESCAPED:generator_frame_by_getattr", getattr(getattr(g, "gi_" + "frame"), "f_" + "globals")["__builtins__"])
