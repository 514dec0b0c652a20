"""A private name of an allowed module."""
from random import _os as harmless

print("ESCAPED:private_name", harmless.getpid())
