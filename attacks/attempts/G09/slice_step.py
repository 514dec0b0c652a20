"""The step of a slice is an expression."""
print("ESCAPED:slice_step", "abc"[:: __import__("os").getpid()])
