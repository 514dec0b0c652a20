print(1, 2, sep="-", end="!\n")
print("a", "b", sep="")
print([1, "x", None, 2.5, True, (1,), {"k": set()}])
print()
for row in [["name", "age"], ["ann", 30]]:
    print("{:<10}{:>5}".format(*row))
x = None
print(x is None, bool(""), int("12"), float("1e3"), str(5) + "a", list("ab"), tuple([1]), set([1, 1]), dict(a=1), abs(-3), round(2.567, 2), divmod(7, 2), pow(2, 10), max(1, 2), min([3, 1]), sum([1, 2]), len("abc"), list(reversed([1, 2])), list(enumerate("ab", 1)), list(range(5, 0, -2)), sorted("cab"), isinstance(1, int), hex(255), bin(5), complex(1, 2), callable(print), id(x) == id(None), hash("a") == hash("a"), type(1).__name__)
try:
    name = input("your name? ")
except EOFError:
    name = "nobody"
print(name)
