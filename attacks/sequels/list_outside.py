"""List directories outside the zones.

Held by: hook
Landlock: holds
"""
import os

for way in (os.listdir, os.scandir, lambda path: next(os.walk(path, onerror=print))):
    try:
        print("ESCAPED:list_outside", list(way("@OUTSIDE@")))
    except OSError as error:
        refused = error
    except StopIteration:
        pass
raise refused
