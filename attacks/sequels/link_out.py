"""Make a link in the output directory that leads outside, and go through it.

Held by: absence
"""
import os

for make in ("symlink", "link"):
    try:
        getattr(os, make)("@CANARY@", "way")
        print("ESCAPED:link_out", os.readlink("way") if make == "symlink" else os.stat("way").st_nlink)
    except OSError as error:
        refused = error
raise refused
