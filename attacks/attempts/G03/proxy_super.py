"""super() stands before a guarded attribute."""


class E(AttributeError):
    def found(self):
        return super().obj


e = E(name="x", obj=print)
print("ESCAPED:proxy_super", type(e.found()).__call__.__get__(e.found()) and e.found().__self__)
