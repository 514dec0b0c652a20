"""__prepare__ gives a class body a namespace that answers for names."""
import enum


class Names(dict):
    def __missing__(self, name):
        if name == "harmless":
            return __builtins__["eval"] if isinstance(__builtins__, dict) else __builtins__.eval
        raise KeyError(name)


Meta = type("Meta", (type,), {"__prepare" + "__": classmethod(lambda *a, **k: Names())})


class A(metaclass=Meta):
    found = harmless("__import__('os').getpid()")


print("ESCAPED:prepare", A.found)
