"""__set_name__ of a default renames a field of the base while dataclass() is at work."""
import dataclasses

NAME = "x or print('ESCAPED:fields_by_setattr_in_a_hook', ().__cla" + "ss__.__base__) or self.x"

@dataclasses.dataclass
class Model:
    x: int = 0

class Default:
    def __set_name__(self, owner, name):
        dataclasses.fields(Model)[0].name = NAME

class A(Model):
    y: int = dataclasses.field(default=Default())

B = dataclasses.dataclass(init=False, repr=False, eq=True)(A)
B() == B()
