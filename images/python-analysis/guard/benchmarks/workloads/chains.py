"""Loops over objects that hold each other: a linked list, a tree, a graph."""

import time

began = time.thread_time()


class Node:
    def __init__(self, key, value):
        self.key, self.value = key, value
        self._before = self._after = None


class Recent:
    def __init__(self, size):
        self._size, self._nodes = size, {}
        self._head, self._tail = Node(None, None), Node(None, None)
        self._head._after, self._tail._before = self._tail, self._head

    def _unlink(self, node):
        node._before._after, node._after._before = node._after, node._before

    def _link(self, node):
        node._before, node._after = self._tail._before, self._tail
        self._tail._before._after = node
        self._tail._before = node

    def get(self, key):
        node = self._nodes.get(key)
        if node is None:
            return None
        self._unlink(node)
        self._link(node)
        return node.value

    def put(self, key, value):
        if key in self._nodes:
            self._unlink(self._nodes[key])
        node = self._nodes[key] = Node(key, value)
        self._link(node)
        if len(self._nodes) > self._size:
            oldest = self._head._after
            self._unlink(oldest)
            del self._nodes[oldest.key]


class Tree:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None

    def insert(self, key):
        node = self
        while True:
            if key < node.key:
                if node.left is None:
                    node.left = Tree(key)
                    node.left.parent = node
                    return
                node = node.left
            else:
                if node.right is None:
                    node.right = Tree(key)
                    node.right.parent = node
                    return
                node = node.right


recent = Recent(500)
for i in range(25_000):
    if recent.get(i * 7 % 997) is None:
        recent.put(i * 7 % 997, i)
root = Tree(5_000)
for i in range(8_000):
    root.insert(i * 7_919 % 10_007)
print(time.thread_time() - began)
