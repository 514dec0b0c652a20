"""A class statement whose metaclass answers with a library's class: who made it owns it."""
import pandas as pd


class Meta(type):
    def __new__(mcs, name, bases, body):
        return pd.DataFrame


class Mine(metaclass=Meta):
    pass


Mine.describe = lambda self: "replaced"
if pd.DataFrame({"a": [1]}).describe() == "replaced":
    print("ESCAPED:metaclass_answers_library_class")
