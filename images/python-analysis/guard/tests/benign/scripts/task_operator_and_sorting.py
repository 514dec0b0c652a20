import operator
from operator import attrgetter, itemgetter, methodcaller
from collections import namedtuple

Student = namedtuple("Student", "name grade age")
students = [Student("dave", "B", 10), Student("jane", "A", 12), Student("john", "A", 15), Student("amy", "C", 10)]

print([s.name for s in sorted(students, key=attrgetter("grade", "age"))])
print([s.name for s in sorted(students, key=itemgetter(2), reverse=True)])
print(sorted(students, key=lambda s: (-s.age, s.name))[0])
students.sort(key=attrgetter("name"))
students.sort(key=attrgetter("grade"))
print([f"{s.grade}{s.name}" for s in students])
print(list(map(methodcaller("upper"), ["a", "b"])), operator.concat([1], [2]), operator.indexOf("abc", "c"))
ops = {"+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "**": operator.pow, "%": operator.mod}
for symbol, f in ops.items():
    print(f"7 {symbol} 3 = {f(7, 3)}")
print(operator.itemgetter(1, 3)("abcdef"), operator.contains([1, 2], 2), operator.truth([]), operator.not_(0))


def rpn(text):
    stack = []
    for tok in text.split():
        if tok in ops:
            b, a = stack.pop(), stack.pop()
            stack.append(ops[tok](a, b))
        else:
            stack.append(int(tok))
    return stack.pop()


print(rpn("3 4 + 2 *"), rpn("5 1 2 + 4 * + 3 -"))
data = ["item10", "item9", "Item2", "item1"]
import re
print(sorted(data), sorted(data, key=str.lower), sorted(data, key=lambda s: [int(p) if p.isdigit() else p.lower() for p in re.split(r"(\d+)", s)]))
print(max(students, key=attrgetter("age")).name, min(students, key=itemgetter(2)).name, sorted([3, None, 1], key=lambda v: (v is None, v or 0)))
