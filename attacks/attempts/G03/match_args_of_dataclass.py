"""dataclass writes __match_args__ from the names of the fields."""
import abc
import dataclasses


class Base(abc.ABC):
    pass


def generator():
    yield


@dataclasses.dataclass
class View(Base):
    gi_frame: int


View.register(type(generator()))
match generator():
    case View(frame):
        print("ESCAPED:match_args_of_dataclass", frame.f_builtins["__import__"]("os").getpid() if False else frame)
