"""A submodule whose parent is not listed."""
import importlib.util

print("ESCAPED:importlib_util", importlib.util.find_spec("os").name)
