import copy

config = {"bins": [1, 2, 3], "nested": {"a": (1, 2)}}
shallow, deep = copy.copy(config), copy.deepcopy(config)
config["bins"].append(4)
print(shallow["bins"], deep["bins"], shallow is config, deep == config, id(config) == id(config))

class Node:
    def __init__(self, value, children=()):
        self.value, self.children = value, list(children)
    def __copy__(self):
        return Node(self.value)
    def walk(self, depth=0):
        yield depth, self.value
        for child in self.children:
            yield from child.walk(depth + 1)

tree = Node("root", [Node("left", [Node("leaf")]), Node("right")])
print([("  " * d + v) for d, v in copy.deepcopy(tree).walk()], copy.copy(tree).children, tree.children[0] is not copy.deepcopy(tree).children[0])
frame = visits.head(2).copy(deep=True)
frame["sbp"] = 0
print(visits["sbp"].head(2).eq(0).any())
