"""A line separator of Unicode moves what is shown of a line, not what runs.

Bytes: escaped
"""
x = "<<e280a8>>"; import os
print("ESCAPED:unicode_line_separator", os.getpid())
