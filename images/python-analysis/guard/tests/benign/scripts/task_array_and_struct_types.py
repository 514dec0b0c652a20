import array
import struct
from collections import UserDict, UserList, deque
from types import MappingProxyType

a = array.array("i", [1, 2, 3])
a.append(4)
a.extend(range(5, 8))
print(a, a.itemsize * len(a), a.tolist()[::2], a.index(3), sum(a))
f = array.array("d", (x / 4 for x in range(4)))
print(f[1], f.tobytes().hex()[:16], array.array("d", f).tolist() == f.tolist())

record = struct.Struct("<10sIf")
packed = record.pack(b"sensor-1", 1024, 21.5)
name, number, value = record.unpack(packed)
print(name.rstrip(b"\0").decode(), number, value, record.size)
print([struct.unpack_from(">H", b"\x01\x02\x03\x04", o)[0] for o in (0, 2)], list(struct.iter_unpack("<H", b"\x01\x00\x02\x00")))


class CaseInsensitive(UserDict):
    def __setitem__(self, key, item):
        super().__setitem__(key.lower(), item)

    def __getitem__(self, key):
        return super().__getitem__(key.lower())


class History(UserList):
    def append(self, item):
        if not self or self[-1] != item:
            super().append(item)


d = CaseInsensitive({"Content-Type": "text/html"})
print(d["CONTENT-TYPE"], list(d), len(d))
h = History()
for x in (1, 1, 2, 2, 1):
    h.append(x)
print(h, h[::-1], 2 in h)
frozen = MappingProxyType({"a": 1})
try:
    frozen["b"] = 2
except TypeError as e:
    print("TypeError:", e)
print(frozen["a"], dict(frozen | {"b": 2}), memoryview(array.array("B", b"xyz"))[1], bytes(deque([65, 66])))
