"""make_dataclass reads its list of fields twice, and gets another one."""
import dataclasses

NAME = "x or print('ESCAPED:made_fields_that_change', ().__cla" + "ss__.__base__) or self.x"

class Space(dict):
    def __iter__(self): return iter(["x"])
    def items(self): return [("x", 0)]
    def keys(self): return ["x"]

names = {"x": int}
A = dataclasses.make_dataclass("A", [], eq=False, namespace={"__annotations__": names, "x": 0})
A.__annotations__[NAME] = int
B = dataclasses.dataclass(init=False, repr=False, eq=True)(A)
B() == B()
