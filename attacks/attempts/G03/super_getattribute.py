"""__getattribute__ by super()."""


class A:
    def read(self, name):
        return super().__getattribute__(name)


print("ESCAPED:super_getattribute", A().read("__init_sub" + "class__").__self__)
