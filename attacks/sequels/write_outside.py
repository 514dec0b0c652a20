"""Create, change and remove files outside the zones.

Held by: hook
Landlock: holds
"""
import os
import shutil
import tempfile

import numpy as np

for way in (
    lambda: open("@OUTSIDE@/a", "w"),
    lambda: os.open("@OUTSIDE@/b", os.O_CREAT | os.O_RDWR),
    lambda: os.mkdir("@OUTSIDE@/c"),
    lambda: os.rename("@CANARY@", "@OUTSIDE@/d"),
    lambda: os.truncate("@CANARY@", 0),
    lambda: os.remove("@CANARY@"),
    lambda: np.zeros(3).tofile("@OUTSIDE@/e"),
    lambda: tempfile.mkdtemp(dir="@OUTSIDE@"),
    lambda: shutil.copyfile(__import__("json").__file__, "@OUTSIDE@/f"),
):
    try:
        way()
        print("ESCAPED:write_outside")
    except OSError as error:
        refused = error
raise refused
