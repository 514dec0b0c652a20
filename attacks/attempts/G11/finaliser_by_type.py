"""The same by a class that type() made."""
A = type("A", (), {"__del" + "__": lambda self: print("ESCAPED:finaliser_by_type")})
a = A()
