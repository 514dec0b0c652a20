"""Starts a program with the os that scripts have, by every name for it.

Selected: yes
"""
import os

for name in ("sys" + "tem", "pop" + "en", "posix_" + "spawn", "for" + "k"):
    start = getattr(os, name, None) or vars(os).get(name)
    if start is not None:
        print("ESCAPED:system_by_os", name, start("true") if name == "system" else start)
        break
