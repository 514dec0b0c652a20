"""dataclasses puts the names of inherited fields into code; a field's name can be changed."""
import dataclasses


@dataclasses.dataclass
class A:
    x: int = 0


CODE = "x or print('ESCAPED:dataclass_field_name', ().__class__.__base__.__subclasses__()[0]) or self.x"
dataclasses.fields(A)[0].name = CODE


@dataclasses.dataclass(init=False, repr=False)
class B(A):
    pass


B() == B()
