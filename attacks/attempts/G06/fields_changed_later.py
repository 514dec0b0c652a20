"""The dict of annotations with which a class was made is changed before dataclass() reads it."""
import dataclasses

NAME = "x or print('ESCAPED:fields_changed_later', ().__cla" + "ss__.__base__) or self.x"
names = {"x": int}
A = type("A", (), {"__annotations__": names, "x": 0})
names[NAME] = int
B = dataclasses.dataclass(init=False, repr=False, eq=True)(A)
B() == B()
