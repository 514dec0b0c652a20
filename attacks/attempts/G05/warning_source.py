"""A warning's hook gets the source object of a ResourceWarning."""
import warnings

found = []


def show(message, category, filename, lineno, file=None, line=None):
    found.append(warnings.sys._getframe(1))


warnings.showwarning = show
warnings.simplefilter("always")
warnings.warn("x")
print("ESCAPED:warning_source", found[0].f_builtins["eval"])
