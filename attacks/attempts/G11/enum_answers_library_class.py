"""The functional form of an enumeration whose metaclass answers with a library's class."""
import enum
import json


class Meta(type(enum.Enum)):
    def __new__(mcs, name, bases, body, **options):
        if name == "Theirs":
            return json.JSONEncoder
        return super().__new__(mcs, name, bases, body, **options)


class Base(enum.Enum, metaclass=Meta):
    pass


Theirs = Base("Theirs", "a b")
Theirs.encode = lambda self, o: "replaced"
if json.JSONEncoder().encode(1) == "replaced":
    print("ESCAPED:enum_answers_library_class")
