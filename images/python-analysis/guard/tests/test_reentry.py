"""Python's own native code goes on where a script's method has changed what it works on."""

from __future__ import annotations

import unittest

from tests.host import Host

FILL = "def fill(): held.append([bytearray(n) for n in range(16, 400, 16) for _ in range(20)])\nheld = []\n"

CONTEXTS = f"""
import contextvars
{FILL}
one, other = contextvars.Context(), contextvars.Context()
last = contextvars.ContextVar("last")
class Equal:
    def __eq__(self, _):
        one.run(last.set, object()); other.run(last.set, object()); fill()
        return True
    __hash__ = object.__hash__
for n in range(200):
    name = contextvars.ContextVar(str(n))
    one.run(name.set, Equal()); other.run(name.set, Equal())
result = [one == one, one == other, contextvars.Context.__eq__(one, other) is NotImplemented]
"""

GROUPS = f"""
import itertools
{FILL}
class Key:
    busy = False
    def __eq__(self, _):
        if not Key.busy:
            Key.busy = True
            for _ in range(3): next(groups, None)
            Key.busy = False
        fill()
        return NotImplemented
groups = itertools.groupby(Key() for _ in range(200))
for _ in range(20): next(groups)
again = GROUPBY(Key() for _ in range(200))
groups = again
for _ in range(20): next(groups)
result = 1
"""

SEARCHES = f"""
{FILL}
class Number:
    def __index__(self):
        data.clear(); fill()
        return 66
class Text(str):
    def __len__(self):
        data.clear(); fill()
        return 1
def fresh():
    global data
    data = bytearray(b"A" * 2_000_000)
for name in ("find", "rfind", "count"):
    fresh(); getattr(data, name)(Number())
    fresh(); getattr(data, name)(b"A", Number(), 2_000_000)
fresh(); Number() in data
fresh(); data.hex(Text(":"))
fresh(); data.hex(":", Number())
class Shown:
    def __repr__(self):
        data.clear(); held.append(bytearray(b"B" * 400))
        return "x"
    __bytes__ = lambda self: repr(self).encode()
for places in (b"%r", b"%b"):
    data = bytearray(places + b"A" * 398)
    if b"B" in data % Shown(): held = 0
fresh()
result = [data.find(b"A", 5), data.find(65), data.count(b"AA"), 65 in data, b"AA" in data]
data = bytearray(b"%d")
data %= 5
result += [[*data], [*(bytearray(b"%s-%d") % (b"x", 3))]]
result += [bytearray(b"ab").hex("-"), bytearray(b"abcd").hex(sep=":", bytes_per_sep=2)]
"""

ORDERED = f"""
import collections, typing
{FILL}
class Key:
    def __init__(self, n): self.n = n
    def __hash__(self): return 7
    def __eq__(self, other):
        if armed:
            ordered.clear(); fill()
        return self.n == other.n
armed = False
for act in (lambda: ordered.move_to_end(Key(5)), lambda: ordered.pop(Key(5)), lambda: ordered.setdefault(Key(30)), lambda: [*ordered.items()]):
    armed = False
    ordered = collections.OrderedDict((Key(n), n) for n in range(20))
    armed = True
    try: act()
    except Exception: pass
class Recent(collections.OrderedDict):
    def __init__(self, most):
        super().__init__()
        self._most = most
    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._most: self.popitem(last=False)
    def __getitem__(self, key):
        self.clear()
        return 1
recent = Recent(2)
for n in range(3): recent[n] = n
kept = [*recent]
recent.copy()
result = [kept, repr(collections.OrderedDict(a=1)), isinstance(recent, typing.OrderedDict), collections.OrderedDict(b=1, a=2)]
"""

PLAIN = """
import itertools
rows = [("a", 1), ("a", 2), ("b", 3)]
result = [[k, len([*g])] for k, g in itertools.groupby(rows, key=lambda row: row[0])] + [[str(k), [*g]] for k, g in itertools.groupby("aab")]
"""


class Reentry(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def gives(self, code: str, result: object) -> None:
        run = self.host.run(code, imports=["collections", "contextvars", "itertools", "typing"])
        self.assertEqual((run.outcome, run.error), ("completed", ""), run.raw_stderr)
        self.assertEqual(run.report["result"], result)

    def test_contexts_are_not_compared_by_their_values(self) -> None:
        self.gives(CONTEXTS, [True, False, True])

    def test_keys_live_as_long_as_their_groups(self) -> None:
        for made in ("itertools.groupby", "type(groups)", "(lambda k: k)(groups.__class__)"):
            with self.subTest(made):
                self.gives(GROUPS.replace("GROUPBY", made), 1)

    def test_an_ordered_dict_is_written_in_python(self) -> None:
        self.gives(ORDERED, [[1, 2], "OrderedDict({'a': 1})", True, {"b": 1, "a": 2}])

    def test_groups_are_as_in_any_python(self) -> None:
        self.gives(PLAIN, [["a", 2], ["b", 1], ["a", ["a", "a"]], ["b", ["b"]]])

    def test_a_bytearray_is_not_searched_while_its_arguments_become_numbers(self) -> None:
        self.gives(SEARCHES, [5, 0, 1_000_000, True, True, [53], [120, 45, 51], "61-62", "6162:6364"])


if __name__ == "__main__":
    unittest.main()
