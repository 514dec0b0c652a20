"""Start another program in every way that Python has.

Held by: absence
"""
import os

import _posixsubprocess

for way in (
    lambda: os.system("true") == 0 or 1 / 0,
    lambda: os.posix_spawn("/usr/bin/python3", ["python3", "-c", ""], {}),
    lambda: os.fork() or os._exit(0),
    lambda: _posixsubprocess.fork_exec(
        [b"x"], [b"/usr/bin/python3"], True, (), None, None, -1, -1, -1, -1, -1, -1, *os.pipe(),
        False, False, -1, None, None, None, -1, None, False,
    ),
):
    try:
        way()
        print("ESCAPED:start_programs")
    except (OSError, ZeroDivisionError) as error:
        refused = error
raise refused
