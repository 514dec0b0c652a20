"""A substitute character ends the file for some, not for Python.

Bytes: escaped
"""
x = 1 #<<1a>>
import os
print("ESCAPED:end_of_file", os.getpid())
