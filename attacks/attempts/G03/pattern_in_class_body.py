"""A pattern with positions in the body of a class of the script's own metaclass."""
import enum


class Names(enum.EnumType.__prepare__("X", ()).__class__):
    def __getitem__(self, name):
        return super().__getitem__(name)


class Any(type):
    __match_args__ = ("__self__",)

    def __instancecheck__(cls, instance):
        return True


class All(metaclass=Any):
    __match_args__ = ("__self__",)


class Y:
    match len:
        case All(b):
            print("ESCAPED:pattern_in_class_body", b.open)
