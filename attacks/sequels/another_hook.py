"""Add a hook of one's own, which sees what all others do.

Held by: hook
"""
import sys

seen = []
sys.addaudithook(lambda event, arguments: seen.append(event))
open("mine.txt", "w").close()
if seen:
    print("ESCAPED:another_hook", seen)
else:
    raise PermissionError(13, "the hook was not added")
