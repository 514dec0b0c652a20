"""A field is renamed after its dataclass was made; one that inherits from it writes the new name into its methods."""
import dataclasses

NAME = "x or print('ESCAPED:fields_renamed_before_inheriting', ().__cla" + "ss__.__base__) or self.x"

@dataclasses.dataclass
class Model:
    x: int = 0

[field] = dataclasses.fields(Model)
field.name = NAME

@dataclasses.dataclass(init=False, repr=False, eq=True)
class A(Model):
    pass

A() == A()
