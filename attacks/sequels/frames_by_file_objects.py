"""Make a file object of the protocol's descriptor.

Held by: hook
"""
import io
import os

for number in range(3, 64):
    for opener in (lambda number: open(number, "wb", 0, closefd=False), lambda number: io.FileIO(number, "w", closefd=False), lambda number: os.fdopen(number, "wb", 0)):
        try:
            opener(number).write(b"O\0\0\0\x1fESCAPED:frames_by_file_objects\n")
        except OSError as error:
            refused = error if error.errno != 9 or "refused" not in dir() else refused
raise refused
