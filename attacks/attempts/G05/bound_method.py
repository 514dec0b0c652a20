"""A bound method's function."""
import random

print("ESCAPED:bound_method", random.seed.__func__.__globals__["_os"].getpid())
