"""An AttributeError holds the object that was asked, here a library's module."""
import matplotlib

try:
    matplotlib.use("module://posix", force=True)
except AttributeError as error:
    print("ESCAPED:exception_obj", error.obj.getpid())
