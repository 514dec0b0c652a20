"""A class body says which attributes a positional pattern reads."""


class Meta(type):
    def __instancecheck__(cls, other):
        return True


class View(metaclass=Meta):
    __match_args__ = ("__self__",)


match print:
    case View(found):
        print("ESCAPED:match_args_in_class_body", found.__name__)
