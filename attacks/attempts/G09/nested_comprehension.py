"""The second iterable of a comprehension."""
print("ESCAPED:nested_comprehension", [y for x in [1] for y in [__import__("os").getpid()]])
