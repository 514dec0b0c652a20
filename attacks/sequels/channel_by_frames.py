"""Walk up the stack to the guard's own frames: their variables hold what writes the report.

Held by: nothing
Worth: a report about one's own run, which the host believes no more than the script's own result; files are verified after the process is dead.
"""
import inspect
import json

report = {
    "outcome": "completed", "error": None, "limit": "", "violations": [], "result": "ESCAPED:channel_by_frames",
    "charts": [], "files": [], "truncated": {"stdout": False, "stderr": False},
}
frame = inspect.currentframe()
while frame is not None:
    for value in list(frame.f_locals.values()):
        if hasattr(value, "finish") and hasattr(value, "send"):
            value.finish(b"R", json.dumps(report).encode())
    frame = frame.f_back
raise LookupError("no frame holds what writes the report")
