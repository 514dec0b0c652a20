"""Asks inspect for a frame, a source or a module."""
import inspect
import json

for ask in ("currentframe", "stack", "getsource", "getmodule", "getclosurevars", "getattr_static"):
    function = getattr(inspect, ask, None)
    if function is not None:
        print("ESCAPED:frame_by_inspect", function(json.loads) if ask.startswith("getm") else function())
        break
