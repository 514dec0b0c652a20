"""The cause of an exception is an expression."""
try:
    raise ValueError from print("ESCAPED:raise_from", __import__("os").getpid())
except ValueError:
    pass
