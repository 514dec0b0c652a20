"""A byte that is no UTF-8, in a comment, with its cookie.

Bytes: escaped
"""
# coding: latin-1
# <<e9>>
import os
print("ESCAPED:coding_latin1", os.getpid())
