"""traceback reads what it is given as a traceback, by attributes with names that a script cannot write."""
import traceback


class Seems:
    def __getattr__(self, name):
        raise LookupError("ESCAPED:frame_of_what_seems_a_traceback " + name)


try:
    traceback.print_exception(ValueError, ValueError("x"), Seems())
except LookupError as e:
    print(e)
