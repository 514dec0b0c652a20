"""Let sys.monitoring call back from inside the hook.

Held by: absence
"""
import sys

sys.monitoring.use_tool_id(1, "mine")
sys.monitoring.set_events(1, sys.monitoring.events.PY_START)
print("ESCAPED:hook_monitored")
