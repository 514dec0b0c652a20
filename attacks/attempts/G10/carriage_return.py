"""A bare carriage return ends the comment, for Python alone.

Bytes: escaped
Selected: yes
"""
# a comment<<0d>>import os<<0d>>print("ESCAPED:carriage_return", os.getpid())
