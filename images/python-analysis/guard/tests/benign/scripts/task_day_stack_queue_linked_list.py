class Node:
    __slots__ = ("value", "next")

    def __init__(self, value, next=None):
        self.value = value
        self.next = next


class LinkedList:
    def __init__(self, iterable=()):
        self.head = None
        self._size = 0
        for item in iterable:
            self.append(item)

    def append(self, value):
        node = Node(value)
        if self.head is None:
            self.head = node
        else:
            current = self.head
            while current.next:
                current = current.next
            current.next = node
        self._size += 1
        return self

    def reverse(self):
        previous, current = None, self.head
        while current:
            current.next, previous, current = previous, current, current.next
        self.head = previous

    def has_cycle(self):
        slow = fast = self.head
        while fast and fast.next:
            slow, fast = slow.next, fast.next.next
            if slow is fast:
                return True
        return False

    def __iter__(self):
        node = self.head
        while node:
            yield node.value
            node = node.next

    def __len__(self):
        return self._size

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        for i, v in enumerate(self):
            if i == (index if index >= 0 else len(self) + index):
                return v
        raise IndexError(index)

    def __delitem__(self, index):
        values = list(self)
        del values[index]
        self.__init__(values)

    def __add__(self, other):
        return LinkedList([*self, *other])

    def __eq__(self, other):
        return isinstance(other, LinkedList) and list(self) == list(other)

    def __repr__(self):
        return " -> ".join(map(repr, self)) or "empty"


class QueueWithStacks:
    def __init__(self):
        self._in, self._out = [], []

    def enqueue(self, x):
        self._in.append(x)

    def dequeue(self):
        if not self._out:
            while self._in:
                self._out.append(self._in.pop())
        if not self._out:
            raise IndexError("empty queue")
        return self._out.pop()


class MinStack(list):
    def push(self, x):
        self.append((x, min(x, self[-1][1]) if self else x))

    @property
    def minimum(self):
        return self[-1][1]


ll = LinkedList("abcd")
ll.reverse()
print(ll, len(ll), ll[0], ll[-1], ll[1:3], "c" in ll, ll + LinkedList([1]), ll == LinkedList("dcba"), LinkedList())
del ll[0]
print(ll, ll.has_cycle())
loop = LinkedList([1, 2])
loop.head.next.next = loop.head
print(loop.has_cycle())
q = QueueWithStacks()
for i in range(3):
    q.enqueue(i)
print(q.dequeue(), q.dequeue(), q.dequeue())
try:
    q.dequeue()
except IndexError as e:
    print(e)
s = MinStack()
for v in (5, 2, 8):
    s.push(v)
print(s.minimum, s.pop()[0], s, max(*ll), [*ll], dict(enumerate(ll)), list(zip(ll, range(9))))
