"""Keeps the keeper's container while somebody speaks to the keeper, and some minutes beyond.

A runner that is killed while its Job waits in a queue leaves it there. The pod that is let in then
would wait for it until its deadline.
"""

import os
import signal
import time

ALONE_S = 600  # as init.py's
LOOK_S = 5

signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
seen = time.monotonic()
while time.monotonic() - seen < ALONE_S:
    if any(name.isdigit() and name != "1" for name in os.listdir("/proc")):
        seen = time.monotonic()
    time.sleep(LOOK_S)
