"""The filter of a comprehension."""
print("ESCAPED:comprehension_filter", [x for x in [1] if x if __import__("os").getpid()])
