"""Look for the object that writes frames, from the script's stdout and all modules, without the collector.

Held by: absence
Always: yes
"""
import json
import sys

report = {
    "outcome": "completed", "error": None, "limit": "", "violations": [], "result": "ESCAPED:channel_by_walk",
    "charts": [], "files": [], "truncated": {"stdout": False, "stderr": False},
}
text = json.dumps(report).encode()


def parts(value):
    for name in ("__self__", "__func__", "__wrapped__", "fget", "fset", "func"):
        try:
            yield object.__getattribute__(value, name)
        except Exception:
            pass
    for name in ("__dict__", "__globals__"):
        try:
            found = object.__getattribute__(value, name)
        except Exception:
            continue
        if isinstance(found, dict):
            yield from list(found.values())
    for cell in getattr(value, "__closure__", None) or () if type(value).__name__ == "function" else ():
        try:
            yield cell.cell_contents
        except ValueError:
            pass
    if type(value) in (list, tuple, set, frozenset):
        yield from list(value)
    if type(value) is dict:
        yield from list(value.values())


pending, seen, kept = [sys.stdout, sys.stderr, *list(sys.modules.values())], set(), []
while pending and len(seen) < 300_000:
    each = pending.pop()
    if id(each) in seen or type(each) in (int, str, bytes, float, bool, type(None)):
        continue
    seen.add(id(each))
    kept.append(each)
    if type(each).__module__.startswith("hotcell_guard") and hasattr(each, "finish"):
        each.finish(b"R", text)
    pending += parts(each)
raise LookupError("no object that writes frames was found")
