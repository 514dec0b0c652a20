"""What except* names is evaluated."""
try:
    raise ExceptionGroup("g", [ValueError()])
except* (print("ESCAPED:except_star", __import__("os").getpid()), ValueError)[1]:
    pass
