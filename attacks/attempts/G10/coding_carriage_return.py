"""The first line ends with a bare carriage return, so the cookie is in the second.

Bytes: escaped
"""
#<<0d>># coding=utf-7
# +AAo-import os+AAo-print("ESCAPED:coding_carriage_return", os.getpid())
