"""getattr bound to an operator through a metaclass."""


class Read:
    def __init__(self, value):
        self.value = value

    def __truediv__(self, name):
        return Read(getattr(self.value, name))


print("ESCAPED:getattr_operator", (Read(print) / ("__se" + "lf__")).value.__name__)
