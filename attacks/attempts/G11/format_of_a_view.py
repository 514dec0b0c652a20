"""The names that are read with care are set without: those of a module, of a library's function and class."""
import json
import math

from matplotlib.patches import Patch

changed = []
for shared in (math, json.dumps, Patch):
    try:
        shared.format = shared.format_map = "mine"
        changed.append(shared.format)
    except (AttributeError, TypeError):
        pass
print("ESCAPED:format_of_a_view" if "mine" in changed else "held")
