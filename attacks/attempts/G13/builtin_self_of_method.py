"""A method of C has the class, which has its bases."""
print("ESCAPED:builtin_self_of_method", dict.fromkeys.__self__.__base__.__subclasses__()[0])
