"""Read a file outside the zones with every opener of io, _io, os and posix.

Held by: hook
Landlock: holds
"""
import io
import os

import _io
import posix

openers = [
    lambda: io.FileIO("@CANARY@").read(),
    lambda: _io.open_code("@CANARY@").read(),
    lambda: os.read(os.open("@CANARY@", os.O_RDONLY), 100),
    lambda: posix.read(posix.open("@CANARY@", posix.O_RDONLY), 100),
    lambda: _io.FileIO.__new__(_io.FileIO).__init__("@CANARY@"),
]
for opener in openers:
    try:
        print("ESCAPED:read_raw_openers", opener())
    except OSError as error:
        refused = error
raise refused
