"""type() with annotations makes a field __reduce_ex__, deepcopy sets attributes."""
import copy
import dataclasses
import json

Bag = dataclasses.dataclass(type("Bag", (), {"__annotations__": {"__reduce_ex__": object}}))


def put(target, name, value):
    copy.deepcopy(Bag(lambda protocol: (lambda: target, (), (None, {name: value}))))


class A:
    pass


put(A, "__getattribute__", lambda self, name: print("ESCAPED:reduce_by_annotations"))
A().x
