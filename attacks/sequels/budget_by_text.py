"""Run a loop that was compiled from text while the script ran.

Held by: hook
Budget: yes
"""
names = {}
exec("total = 0\nfor each in range(300_000):\n    total += each", names)
print("ESCAPED:budget_by_text", names["total"])
