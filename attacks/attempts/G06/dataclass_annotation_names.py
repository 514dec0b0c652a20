"""dataclasses puts the keys of __annotations__ into code."""
import dataclasses

CODE = "x or print('ESCAPED:dataclass_annotation_names', ().__class__.__base__.__subclasses__()[0]) or self.x"
A = type("A", (), {"__annotations__": {CODE: int}, "x": 0})
dataclasses.dataclass(init=False, repr=False)(A)
A() == A()
