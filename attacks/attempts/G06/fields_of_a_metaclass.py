"""A metaclass answers for the fields of a base that has none; their names become lines of methods."""
import dataclasses

NAME = "x or print('ESCAPED:fields_of_a_metaclass', ().__cla" + "ss__.__base__) or self.x"

@dataclasses.dataclass
class Model:
    x: int = 0

Model.frozen = False
[field] = dataclasses.fields(Model)
field.name = NAME

class Meta(type):
    def __getattr__(cls, name):
        if name == "__dataclass_fields__":
            return {"x": field}
        if name == "__dataclass_params__":
            return Model
        raise AttributeError(name)

class Base(metaclass=Meta):
    x = 0

class A(Base):
    pass

B = dataclasses.dataclass(init=False, repr=False, eq=True)(A)
B() == B()
