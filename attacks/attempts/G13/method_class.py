"""Walks the subclasses to one whose function has os in its globals."""
found = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == "_wrap_close"]
print("ESCAPED:method_class", found[0].__init__.__globals__["getpid"]())
