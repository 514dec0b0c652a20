"""An object that lives to the end prints when the interpreter ends."""


class A:
    def __del__(self):
        print("ESCAPED:finaliser")


a = A()
