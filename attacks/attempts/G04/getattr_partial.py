"""getattr in functools.partial."""
import functools

print("ESCAPED:getattr_partial", functools.partial(getattr, print)("__se" + "lf__").__name__)
