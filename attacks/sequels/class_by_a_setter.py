"""Have a library set an attribute of a class: a setter that is called with a class in place of an object.

Held by: classes
"""
import logging

logging.Handler.setFormatter(logging.Formatter, 3)
if logging.Formatter().formatter == 3:
    print("ESCAPED:class_by_a_setter")
