"""An abstract class with fields takes any object for its instance by __subclasshook__."""
import abc
import dataclasses


@dataclasses.dataclass
class View(abc.ABC):
    tb_frame: object

    @classmethod
    def __subclasshook__(cls, other):
        return True


try:
    1 / 0
except ZeroDivisionError as error:
    match error.__traceback__:
        case View(frame):
            print("ESCAPED:abc_dataclass_match", frame)
