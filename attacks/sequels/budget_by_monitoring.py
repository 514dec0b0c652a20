"""Switch the counting off, with all that sys.monitoring has for it.

Held by: budget
Budget: yes
"""
import sys

for name in ("clear_tool_id", "free_tool_id"):
    try:
        getattr(sys.monitoring, name)(3)
    except (AttributeError, ValueError):
        pass
total = 0
for each in range(300_000):
    total += each
print("ESCAPED:budget_by_monitoring", total)
