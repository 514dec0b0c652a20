import copy

a = [1, [2, 3], {"k": [4]}]
b = a
c = a[:]
d = copy.copy(a)
e = copy.deepcopy(a)
a[1].append(99)
a.append("new")
print("alias:", b)
print("slice:", c)
print("copy:", d)
print("deep:", e)
print(b is a, c is a, c[1] is a[1], e[1] is a[1])


def append_to(value, target=[]):
    target.append(value)
    return target


def append_fixed(value, target=None):
    target = [] if target is None else target
    target.append(value)
    return target


print(append_to(1), append_to(2), append_fixed(1), append_fixed(2))


class Graph:
    def __init__(self):
        self.nodes = {}

    def __copy__(self):
        new = Graph()
        new.nodes = self.nodes
        return new

    def __deepcopy__(self, memo):
        new = Graph()
        new.nodes = copy.deepcopy(self.nodes, memo)
        return new


g = Graph()
g.nodes["a"] = ["b"]
shallow, deep = copy.copy(g), copy.deepcopy(g)
g.nodes["a"].append("c")
print(shallow.nodes, deep.nodes)
matrix = [[0] * 3] * 2
matrix[0][0] = 1
print(matrix, [[0] * 3 for _ in range(2)])
t = (1, [2])
t[1].append(3)
print(t, id(t) == id(t), hash((1, 2)) == hash((1, 2)))
loop = []
loop.append(loop)
print(loop, copy.deepcopy(loop) is not loop)
s = frozenset([1, 2])
print({s: "frozen"}[frozenset([2, 1])], {1, 2} ^ {2, 3}, {1} <= {1, 2})
