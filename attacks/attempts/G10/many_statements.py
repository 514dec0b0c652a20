"""So many statements that a checker with a limit reads only the first.

Bytes: escaped
"""
<<3000 times x = 1;>>
import os
print("ESCAPED:many_statements", os.getpid())
