"""A byte order mark, then code.

Bytes: escaped
"""
<<efbbbf>>import os
print("ESCAPED:coding_after_bom", os.getpid())
