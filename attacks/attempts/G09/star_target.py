"""A starred target, a starred argument and a starred index."""
first, *rest = [__import__, "os"]
print("ESCAPED:star_target", first(*rest).getpid())
