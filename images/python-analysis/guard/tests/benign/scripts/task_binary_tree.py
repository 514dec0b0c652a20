from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Generic, Iterator, Optional, TypeVar

T = TypeVar("T")


@dataclass
class TreeNode(Generic[T]):
    value: T
    left: Optional[TreeNode[T]] = None
    right: Optional[TreeNode[T]] = None


class BST(Generic[T]):
    def __init__(self) -> None:
        self.root: Optional[TreeNode[T]] = None

    def insert(self, value: T) -> None:
        if self.root is None:
            self.root = TreeNode(value)
            return
        node = self.root
        while True:
            side = "left" if value < node.value else "right"
            child = getattr(node, side)
            if child is None:
                setattr(node, side, TreeNode(value))
                return
            node = child

    def inorder(self, node=...) -> Iterator[T]:
        if node is ...:
            node = self.root
        if node is not None:
            yield from self.inorder(node.left)
            yield node.value
            yield from self.inorder(node.right)

    def levels(self):
        queue, out = deque([(self.root, 0)]), []
        while queue:
            node, depth = queue.popleft()
            if node:
                if depth == len(out):
                    out.append([])
                out[depth].append(node.value)
                queue.extend([(node.left, depth + 1), (node.right, depth + 1)])
        return out

    def height(self):
        def h(n):
            return 0 if n is None else 1 + max(h(n.left), h(n.right))
        return h(self.root)


tree: BST[int] = BST()
for v in (50, 30, 70, 20, 40, 60, 80, 35):
    tree.insert(v)
print(list(tree.inorder()))
for level in tree.levels():
    print(" ".join(map(str, level)))
print("height", tree.height())
print(TreeNode(1, TreeNode(0)))
