"""namedtuple writes __match_args__, too."""
import collections
import abc

Fields = collections.namedtuple("Fields", ["gi_frame"])


class View(abc.ABC):
    __slots__ = ()


setattr(View, "__match" + "_args__", Fields.__match_args__)


def generator():
    yield


View.register(type(generator()))
match generator():
    case View(frame):
        print("ESCAPED:match_args_of_namedtuple", frame)
