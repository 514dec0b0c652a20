class Node:
    __slots__ = ("value", "next")

    def __init__(self, value, next=None):
        self.value = value
        self.next = next


class LinkedList:
    def __init__(self, values=()):
        self.head = None
        self._size = 0
        for v in reversed(list(values)):
            self.push(v)

    def push(self, value):
        self.head = Node(value, self.head)
        self._size += 1

    def pop(self):
        if self.head is None:
            raise IndexError("pop from an empty list")
        node, self.head = self.head, self.head.next
        self._size -= 1
        return node.value

    def reverse(self):
        prev, cur = None, self.head
        while cur:
            cur.next, prev, cur = prev, cur, cur.next
        self.head = prev
        return self

    def __iter__(self):
        node = self.head
        while node is not None:
            yield node.value
            node = node.next

    def __len__(self):
        return self._size

    def __str__(self):
        return " -> ".join(map(str, self)) + " -> None"


def balanced(text):
    pairs = {")": "(", "]": "[", "}": "{"}
    stack = []
    for ch in text:
        if ch in pairs.values():
            stack.append(ch)
        elif ch in pairs:
            if not stack or stack.pop() != pairs[ch]:
                return False
    return not stack


ll = LinkedList([1, 2, 3, 4])
print(ll, len(ll))
print(ll.reverse(), list(ll), 3 in ll)
print(ll.pop(), ll.pop(), ll)
print([balanced(t) for t in ("{[()]}", "(]", "((", "")])
try:
    LinkedList().pop()
except IndexError as e:
    print("IndexError:", e)
