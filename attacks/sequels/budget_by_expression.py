"""Have a library execute a comprehension that was compiled from text while the script ran.

Held by: budget
Budget: yes
"""
import scipy.stats
import scipy._lib.decorator
from scipy._lib.decorator import FunctionMaker

for name in ("exec", "eval", "compile"):  # what the guard gave it to check its text
    vars(scipy._lib.decorator).pop(name, None)

f = FunctionMaker.create("f()", "return sum([1 for each in range(300_000)])", {})
print("ESCAPED:budget_by_expression", f())
