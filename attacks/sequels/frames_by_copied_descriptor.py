"""Copy the protocol's descriptor to another number, and write to that.

Held by: absence
"""
import fcntl
import os

errors = []
for number in range(3, 64):
    for copy in (os.dup, lambda number: os.dup2(number, 50), lambda number: fcntl.fcntl(number, fcntl.F_DUPFD, 40)):
        try:
            os.write(copy(number), b"O\0\0\0\x24ESCAPED:frames_by_copied_descriptor\n")
        except OSError as error:
            errors.append(error)
raise max(errors, key=lambda error: error.errno)
