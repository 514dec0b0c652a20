"""A named expression inside a comprehension."""
[found := name for name in [__import__("os")]]
print("ESCAPED:walrus", found.getpid())
