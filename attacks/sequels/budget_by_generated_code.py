"""Count in a function of which a library makes the code: a dataclass's.

Held by: budget
Budget: yes
"""
import dataclasses

for name in ("exec", "eval", "compile"):  # what the guard gave it to check its text
    vars(dataclasses).pop(name, None)

maker = dataclasses._FuncBuilder({})
maker.add_fn("f", (), ["  total = 0", "  for each in range(300_000):", "    total += each", "  return total"])


class Mine:
    pass


maker.add_fns_to_class(Mine)
print("ESCAPED:budget_by_generated_code", Mine.f())
