"""The same by the method resolution order."""
found = [c for c in (1).__class__.__mro__[-1].__subclasses__() if c.__name__ == "catch_warnings"]
print("ESCAPED:method_class_by_mro", found[0]()._module.sys.modules["os"].getpid())
