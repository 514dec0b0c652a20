"""type.mro as a callback."""
print("ESCAPED:type_mro", next(map(type.mro, [int]))[-1].__subclasses__()[0])
