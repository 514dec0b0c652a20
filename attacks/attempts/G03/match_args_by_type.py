"""A positional class pattern reads the attributes that __match_args__ of a type() class names."""
Frame = type("Frame", (), {"__match_args__": ("gi_fra" + "me",), "__instancecheck__": None})


class Meta(type):
    pass


def generator():
    yield 1


GeneratorView = type(generator())
cls = type("View", (), {"__match_args__": ("b",)})
meta = type("M", (type,), {"__instancecheck__": lambda cls, obj: True})
View = meta("View", (), {"__match_args__": ("gi_fra" + "me",)})
match generator():
    case View(frame):
        print("ESCAPED:match_args_by_type", frame)
