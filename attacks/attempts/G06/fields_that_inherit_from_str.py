"""A field's name is of a class that inherits from str and says that it is an identifier."""
import dataclasses

class Name(str):
    def isidentifier(self): return True
    def __hash__(self): return 1
    def __eq__(self, other): return self is other

NAME = Name("x or print('ESCAPED:fields_that_inherit_from_str', ().__cla" + "ss__.__base__) or self.x")
A = type("A", (), {"__annotations__": {NAME: int}, "x": 0, str(NAME): 0})
B = dataclasses.dataclass(init=False, repr=False, eq=True)(A)
B() == B()
