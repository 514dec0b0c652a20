"""Trace or profile what the hook does, and change its variables while it runs.

Held by: hook
Landlock: holds
"""
import sys
import threading


def trace(frame, event, argument):
    if "@CANARY@" in repr(frame.f_locals):
        frame.f_locals["arguments"] = ("mine", "r", 0)
    return trace


for way in (lambda: sys.settrace(trace), lambda: sys.setprofile(trace), lambda: threading.settrace_all_threads(trace)):
    try:
        way()
        print("ESCAPED:hook_traced", open("@CANARY@").read())
    except OSError as error:
        refused = error
raise refused
