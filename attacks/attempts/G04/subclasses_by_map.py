"""type.__subclasses__ as a callback."""
print("ESCAPED:subclasses_by_map", len(next(map(type.__subclasses__, [object]))))
