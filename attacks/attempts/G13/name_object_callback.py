"""A name whose methods run inside the guard: it reads its caller's frame."""
import statistics

found = []


class Name(str):
    def startswith(self, *arguments):
        found.append(statistics.sys._getframe(1))
        return False

    def __hash__(self):
        found.append(statistics.sys._getframe(1))
        return super().__hash__()


try:
    {}[Name("x")]
except KeyError:
    pass
print("ESCAPED:name_object_callback", found[0].f_globals["__name__"])
