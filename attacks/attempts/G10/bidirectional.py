"""Text that is shown in another order than it runs.

Bytes: escaped
"""
access = "user<<e280ae>> <<e281a6>># check if admin<<e281a9>> <<e281a6>>"
import os
print("ESCAPED:bidirectional", os.getpid())
