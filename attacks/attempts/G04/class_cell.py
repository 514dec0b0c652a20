"""__build_class__ called by name, with a function whose body is not a class's."""
namespace = {}


def body():
    return None


cls = __build_class__(body, "A", metaclass=lambda name, bases, namespace: namespace)
print("ESCAPED:class_cell", [c for c in type(cls).__base__.__subclasses__() if c.__name__ == "_wrap_close"])
