"""Removes a tree outside: by its name, by a directory that a temporary one is said to be, by a file that is."""
import os
import shutil
import tempfile

directory = tempfile.TemporaryDirectory()
directory.name = "@OUTSIDE@"
file = tempfile.NamedTemporaryFile()
file.name = "@CANARY@"
before = os.stat("@CANARY@").st_size if os.path.exists("@CANARY@") else None
for remove in (directory.cleanup, file.close, lambda: shutil.rmtree("@OUTSIDE@", ignore_errors=True)):
    try:
        remove()
    except OSError:
        continue
if before is not None and not os.path.exists("@CANARY@"):
    print("ESCAPED:tree_removed_by_shutil", before)
