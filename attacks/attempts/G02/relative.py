"""A relative import, with the package set by the script."""
__package__ = "concurrent.futures"
__name__ = "concurrent.futures.x"
from ..futures import _base

print("ESCAPED:relative", _base.threading.__name__)
