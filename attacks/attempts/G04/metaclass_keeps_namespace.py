"""A metaclass keeps the namespace that it was handed, and changes it when the class is there."""


class Late(dict):
    def items(self):
        return {"__array_interface__": 1}.items()

    def __iter__(self):
        return iter(("__getattribute__",))

    def keys(self):
        return ["__getattribute__"]


class Meta(type):
    def __new__(mcs, name, bases, body):
        return super().__new__(mcs, name, bases, Late(body, __getattribute__=lambda self, name: name))


class X(metaclass=Meta):
    pass


if X().anything == "anything":
    print("ESCAPED:metaclass_keeps_namespace")
