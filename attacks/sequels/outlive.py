"""Go on after the report: an exit handler, a thread, a finaliser.

Held by: the end
Always: yes
"""
import atexit
import threading
import time


class Last:
    def __del__(self):
        print("ESCAPED:outlive finaliser", flush=True)


def later():
    while True:
        time.sleep(0.01)
        print("later")


atexit.register(print, "ESCAPED:outlive", flush=True)
kept = Last()
raise SystemExit(0)
