def append_bad(item, items=[]):
    items.append(item)
    return items


def append_good(item, items=None):
    items = [] if items is None else items
    items.append(item)
    return items


append_bad(1); append_bad(2)
append_good(1); append_good(2)
print(append_bad.__defaults__, append_good.__defaults__)
funcs = [lambda: i for i in range(3)]
fixed = [lambda i=i: i for i in range(3)]
print([f() for f in funcs], [f() for f in fixed])
a = [1, 2]
b = a
c = a[:]
b.append(3)
print(a is b, a == c, id(a) == id(b), a, c)
t = ([1], 2)
try:
    t[0] += [5]
except TypeError as e:
    print(e, t)
print("ab" is "ab", 256 is 256) if False else print("skip")
x = [[0] * 2] * 2
x[0][0] = 1
print(x)


def late(x, /, y, *, z): return x, y, z


print(late(1, y=2, z=3), late.__kwdefaults__, late.__name__)
try:
    late(x=1, y=2, z=3)
except TypeError as e:
    print(str(e)[:60])
