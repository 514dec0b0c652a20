"""A class body's namespace answers for whatever helper the guard calls there."""
import abc

seen = []


class Names(dict):
    def __getitem__(self, name):
        if not dict.__contains__(self, name):
            seen.append(name)
        return dict.__getitem__(self, name)


Meta = abc.ABCMeta("Meta", (type,), {"__prepare__": classmethod(lambda *a, **k: Names())})


class A(metaclass=Meta):
    x = "{}".format
    y = print.__class__
    print


print("ESCAPED:prepare_hides_helper", seen)
