"""The exception that the hook raises has its frame: look for what it holds, and change it.

Held by: nothing
Worth: the frame, through a library, but not the code; its globals are empty and not used, its variables are the event's own.
"""
import traceback

try:
    open("@CANARY@")
except OSError as error:
    for frame, _ in traceback.walk_tb(error.__traceback__):
        for name, value in dict(frame.f_locals).items():
            if hasattr(value, "may_read"):
                type(value).may_read = type(value).library_may_read = lambda *args: True
        if not frame.f_globals.keys() - {"__builtins__"}:
            frame.f_globals.update(judge=lambda *args: None, PermissionError=None)
            frame.f_locals["error"] = None
try:
    print(open("@CANARY@").read(), "ESCAPED:hook_by_its_frame")
except OSError:
    print("ESCAPED:hook_by_its_frame the frame and no more")
