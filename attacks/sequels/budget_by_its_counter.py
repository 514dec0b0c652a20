"""Find the budget among the guard's modules, and let it end nothing any more.

Held by: budget
Budget: yes
"""
import sys

import hotcell_guard.confining._budget as budget

for name in list(sys.modules):
    if name.startswith("hotcell_guard"):
        del sys.modules[name]
budget.Budget._used_up = lambda self, name: None
total = 0
for each in range(300_000):
    total += each
print("ESCAPED:budget_by_its_counter", total)
