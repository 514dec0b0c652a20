"""A line so long that a checker that reads lines cuts it.

Bytes: escaped
"""
x = "<<40000 times a>>"; import os; print("ESCAPED:long_line", os.getpid())
