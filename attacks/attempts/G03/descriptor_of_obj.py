"""The descriptor behind AttributeError.obj is called by itself."""
from scipy import stats

try:
    stats.kstest([1.0], "nonexistent")
except AttributeError as error:
    module = AttributeError.obj.__get__(error)
    print("ESCAPED:descriptor_of_obj", module.__name__)
