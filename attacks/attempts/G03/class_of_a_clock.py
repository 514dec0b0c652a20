"""The class of what views replace is found by an object of it: a namespace that takes every name."""
import time

description = type(time.get_clock_info("time"))(**{"__dict" + "__": 1, "__class" + "__": 2})
print("ESCAPED:class_of_a_clock", description)
