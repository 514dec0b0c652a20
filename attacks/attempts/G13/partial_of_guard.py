"""A partial object hands out the function that it holds."""
import functools

print("ESCAPED:partial_of_guard", functools.partial(print).func.__self__)
