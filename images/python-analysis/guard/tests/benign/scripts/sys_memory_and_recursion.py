import sys

sys.setrecursionlimit(5000)


def depth(tree):
    return 1 + max((depth(child) for child in tree), default=0)


nested = []
for _ in range(1500):
    nested = [nested]


def count(n):
    return 0 if n == 0 else 1 + count(n - 1)


print(depth([[], [[]]]), count(3000), sys.getrecursionlimit())
print(sys.getsizeof([]) < sys.getsizeof(list(range(100))), sys.getsizeof("") > 0)
try:
    int("x")
except ValueError:
    kind, value, _ = sys.exc_info()
    print(kind.__name__, value)
if not sys.warnoptions:
    import warnings

    warnings.simplefilter("ignore")
print(sys.platform.startswith("linux"), "3." in sys.version)
