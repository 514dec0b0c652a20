"""make_dataclass with a base whose metaclass answers with a library's class."""
import dataclasses
import json


class Meta(type):
    def __new__(mcs, name, bases, body):
        return json.JSONEncoder if name == "Theirs" else super().__new__(mcs, name, bases, body)


class Base(metaclass=Meta):
    pass


before = json.JSONEncoder.__eq__
dataclasses.make_dataclass("Theirs", [], bases=(Base,))
if json.JSONEncoder.__eq__ is not before:
    print("ESCAPED:made_dataclass_of_library_class")
