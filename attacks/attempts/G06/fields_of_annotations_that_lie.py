"""A class's annotations are replaced by a dict that says one thing to a check and another to dataclass()."""
import dataclasses
import functools

NAME = "x or print('ESCAPED:fields_of_annotations_that_lie', ().__cla" + "ss__.__base__) or self.x"

class Lie(dict):
    def __iter__(self): return iter(())
    def keys(self): return [NAME]
    def __getitem__(self, key): return int

class Source:
    def __getattr__(self, name): return Lie({"y": int})

class A:
    x = 0

functools.update_wrapper(A, Source(), ("__annotations__",), ())
B = dataclasses.dataclass(init=False, repr=False, eq=True)(A)
B() == B()
