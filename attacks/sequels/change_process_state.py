"""Change umask, working directory, priority and modes.

Held by: absence
"""
import os

ways = [lambda: os.umask(0), lambda: os.chdir("/"), lambda: os.nice(1), lambda: os.chmod(".", 0o777)]
for way in ways:
    try:
        way()
        print("ESCAPED:change_process_state")
    except OSError as error:
        refused = error
raise refused
