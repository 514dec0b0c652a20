"""A generator's frame leads to the builtins."""
g = (x for x in ())
print("ESCAPED:generator_frame", g.gi_frame.f_builtins["__import__"]("os").getpid())
