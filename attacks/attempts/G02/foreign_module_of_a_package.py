"""A module that an allowed package imported for itself."""
from statistics import sys as harmless

print("ESCAPED:foreign_module_of_a_package", harmless.modules["os"].getpid())
