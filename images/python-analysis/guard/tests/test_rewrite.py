"""What stands for an attribute in the rewritten tree: it does what the attribute did, and holds what it checked."""

from __future__ import annotations

import ast
import subprocess
import sys
import unittest

from hotcell_guard.vetting import _rewrite
from tests.host import Host

MEANS_THE_SAME = """
from __future__ import annotations
import contextlib, weakref
from dataclasses import dataclass
from functools import partial

class Node:
    '''A doc string.'''
    count = 0

    def __init__(self, value, after=None):
        '''Another.'''
        self._value, self._after = value, after
        self.seen = [value]
        Node.count += 1

    def chain(self):
        node, found = self, []
        while node is not None:
            found.append(node._value)
            node = node._after
        return found

    def swap(self, other):
        self._value, other._value = other._value, self._value
        return [self._value + x for x in range(2) if self._value], sum(other._value for _ in range(2))

    def steps(self):
        yield self._value
        self._value += 1
        got = yield self._value
        self._value = got
        yield self._value

    def targets(self):
        with contextlib.nullcontext(5) as self._with: pass
        for self._turn in range(3): pass
        [0 for self._inner in range(2)]
        (self._a, *self._rest), self._last = (1, 2, 3), 4
        self._typed: int = 6
        self._after._after._value **= 2
        del self._a
        return self._with, self._turn, self._inner, self._rest, self._last, self._typed, hasattr(self, '_a')

    def lost(self):
        self._value
        del self
        try:
            return self._value
        except UnboundLocalError as error:
            return str(error)

    def nested(self):
        def inner(step):
            return self._value + step
        class Local:
            copy = [self._value for _ in range(1)]
            note: self._value = 1
        return inner(1), (lambda node: node._value + node._after._value)(self), Local.copy

    def __enter__(self): return self._value
    def __exit__(self, *args): return self._value is None

def generic[T](node: Node, other: T) -> T:
    node._value, node._after
    return node._value

class Heir(Node):
    def __init__(self, *args):
        super().__init__(*args)
        self._more = super().__repr__ is not None

    @classmethod
    def make(cls): return super().__new__(cls)

    def chain(self): return ['heir', *super().chain()]

a = Node(1, Node(2, Node(3)))
print(a.chain(), Heir(7, a).chain(), Heir(8)._more, Node.count, Node.__doc__, Node.__init__.__doc__)
print(a.swap(a._after), a.chain(), generic(a, None))
steps = a.steps()
print(next(steps), next(steps), steps.send(9), a.lost(), a.nested())
print(a.targets(), a.chain())
with a as value: print(value)
try:
    a.nothing
except AttributeError as error: print(error)
try:
    a._nothing
except AttributeError as error: print(error)
def missing(node): return node._nothing, node._nothing
try:
    missing(a)
except AttributeError as error: print(error)

def formats(text): return text.format(1), (text + '!').format(2), '{}'.format(text)
print(formats('{:03d}'), type(Heir.make()).__name__)

def dies(size):
    def first(): return Node(size)._value, Node(size)._value
    node = Node(size, Node(size)); reference = weakref.ref(node._after)
    first(); node._after = None
    return reference() is None
print(dies(3))
"""

LETS_NOBODY_ELSE_IN = """
import contextlib, io, json, weakref
import numpy as np, pandas as pd
df = pd.DataFrame({'a': [1]})
class Own:
    def __init__(self): self._mgr = self._b = 'mine'
class Encoder(json.JSONEncoder): pass
class Frame(pd.DataFrame): pass
class Meta(type): pass
class Made(pd.DataFrame, metaclass=Meta): pass
class Alias(type(list[int])): pass
class Blocks(np.lib.Arrayterator): pass
class Sum:
    def __radd__(self, other): return other
class Answers:
    def __getitem__(self, key):
        global twice
        twice = df
        return Own
archive = io.BytesIO(); np.savez(archive, a=1); archive.seek(0)
Bag, answers = type(np.load(archive).f), Answers()
own = Own()
encoder = Encoder(); encoder._mgr = 1

def by_for(p):
    p._b, p._b
    for p in [df]: return p._mgr
def by_walrus(p):
    p._b, p._b
    [(p := df) for _ in range(1)]
    return p._mgr
def by_match(p):
    p._b, p._b
    match [df]:
        case [p]: return p._mgr
def by_mapping(p):
    p._b, p._b
    match {'x': df}:
        case {'x': p}: return p._mgr
def by_with(p):
    p._b, p._b
    with contextlib.nullcontext(df) as p: return p._mgr
def by_unpacking(p):
    p._b, p._b
    *p, q = [df, 1]
    return p[0]._mgr
def by_cell(p):
    def change():
        nonlocal p
        p = df
    p._b, p._b
    change()
    return p._mgr
def by_comprehension(p):
    p._b, p._b
    return [p._mgr for p in [df]]
def by_generator(p):
    p._b, p._b
    return list(p._mgr for p in [df])
def by_assignment_in_a_generator(p):
    p._b, p._b
    return list(((p := df), p._mgr) for _ in range(1))
def by_spelling(p):
    class Speller:
        def show(self, __p):
            __p._b, __p._b
            _Speller__p = df
            return __p._mgr
    return Speller().show(p)
def by_name_of_a_target(p):
    global each
    [each._b for each in [p]]
    each = df
    return each._mgr
def by_sending(p):
    def steps(p):
        p._b, p._b
        p = yield
        yield p._mgr
    running = steps(p); next(running)
    return running.send(df)
def by_import(p):
    p._b, p._b
    import pandas as p
    return p._libs
def by_lambda(p): return (lambda p: (p._mgr, p._mgr))(df)
def by_second(p): return second(p, df)
def second(p, q): return p._b, p._b, q._mgr, q._mgr
def by_turns(p):
    turns = [df, p]
    def pick(): return turns.pop()
    return pick()._mgr, pick()._mgr
def by_loop(p):
    for each in (p, df): each._mgr
def by_conditional(p): return [(p if turn else df)._mgr for turn in (1, 0)]
def by_known_name(p): return encoder._mgr, Frame({'a': [1]})._mgr
def by_own_heir(p):
    frame = Frame({'a': [1]})
    frame._mine = 1
    return frame._mine, frame._mgr
def by_meta(p): return Made._internal_names
def by_super(p):
    class Reader(pd.DataFrame):
        def show(self): return super()._internal_names
    return Reader({'a': [1]}).show()
def by_call(p): return changes(p), changes(pd.DataFrame)
def by_module(p): return changes(p), changes(pd)
def changes(p): p.head = 1; p.tail = 2
def by_name(p): return sets(p), sets(pd.DataFrame)
def by_module_name(p): return sets(p), sets(pd)
def sets(p): setattr(p, 'head', 1); setattr(p, 'tail', 2)
def by_chain(p): return [p.__dict__ for p in [p]], chain(p, pd.DataFrame)
def chain(p, kind):
    for each in ([p], [kind]): each[0].head = 1
def by_class_that_answers(p):
    global twice
    twice = Bag(answers)
    twice._a
    return twice._mgr
def by_alias(p): return Alias(df, ())._mgr
def by_iterator(p): return Blocks(df)._mgr
def by_name_of_iterator(p): return getattr(Blocks(df), '_mgr')
def by_method_of_iterator(p):
    class Reader(Blocks):
        def show(self): return self._mgr, self._mgr
    return Reader(df).show()
def by_change_of_iterator(p):
    blocks = Blocks(df)
    blocks._mgr += Sum()
def by_change_of_alias(p):
    alias = Alias(df, ())
    alias._mgr += Sum()
def by_alias_of_error(p):
    try: df.nothing
    except AttributeError as error: return Alias(error, ()).obj
def by_weak_reference(p): return weak(p), weak(pd.DataFrame)
def by_weak_module(p): return weak(p), weak(pd)
def by_weak_function(p): return weak(p), weak(json.dumps)
def weak(p): weakref.proxy(p).head = 1
def by_private_change(p): return hides(p), hides(Frame({'a': [1]}))
def hides(p): p._b = 2; p._mgr = 1

for attack in [ATTACKS]:
    for turn in range(2):
        try:
            attack(own)
        except AttributeError as error:
            print(attack.__name__, 'held')
        else:
            print(attack.__name__, 'ESCAPED')
"""


ATTACKS = [line.split("(")[0].removeprefix("def ") for line in LETS_NOBODY_ELSE_IN.splitlines() if line.startswith("def by_")]
SCRIPT = LETS_NOBODY_ELSE_IN.replace("[ATTACKS]", f"[{', '.join(ATTACKS)}]")


class Rewriting(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def test_means_the_same(self) -> None:
        printed: list[str] = []
        exec(
            compile(MEANS_THE_SAME, "script.py", "exec", dont_inherit=True),
            {"__name__": "__main__", "print": lambda *words: printed.append(" ".join(map(str, words)))},
        )
        run = self.host.run(MEANS_THE_SAME, imports=["contextlib", "weakref", "dataclasses", "functools"])
        self.assertEqual((run.outcome, run.error, run.report["violations"]), ("completed", "", []))
        self.assertEqual(run.stdout.splitlines(), printed)

    def test_lets_nobody_else_in(self) -> None:
        plain = subprocess.run([sys.executable, "-sBP", "-c", SCRIPT], capture_output=True, text=True, check=True)
        self.assertEqual(plain.stdout.splitlines(), [f"{name} ESCAPED" for name in ATTACKS for _ in range(2)])
        run = self.host.run(SCRIPT, imports=["contextlib", "io", "json", "numpy", "pandas", "weakref"])
        self.assertEqual((run.outcome, run.error, run.report["violations"]), ("completed", "", []))
        self.assertEqual(run.stdout.splitlines(), [f"{name} held" for name in ATTACKS for _ in range(2)])


ORDINARY_HEIRS = """
import collections, datetime, weakref
import numpy as np, pandas as pd, pydantic
class Counting:
    def count(self):
        self._n = 1
        self._n += 4
        self._gone = self._n
        del self._gone
        return self._n, getattr(self, '_gone', 'nothing'), hasattr(self, '_gone')
class Array(Counting, np.ndarray): pass
class Frame(Counting, pd.DataFrame): pass
class Day(Counting, datetime.date): pass
class Table(Counting, collections.OrderedDict): pass
class Model(pydantic.BaseModel):
    _n: int = pydantic.PrivateAttr(default=5)
    def count(self):
        self._n += 1
        return self._n
class Blocks(Counting, np.lib.Arrayterator):
    def __getattr__(self, name):
        if name == '_made': return 'made'
        raise AttributeError(name)
class Node:
    pass
print(np.arange(3).view(Array).count(), Frame({'a': [1]}).count(), Day(2020, 1, 1).count(), Table().count())
print(Model().count(), Blocks(np.arange(4)).count(), Blocks(np.arange(4))._made)
node = Node()
weakref.ref(node)().name = 'set'
print(node.name)
"""


PRIVATE_TO_A_LIBRARY = """
import pydantic, string
import numpy as np, pandas as pd
from scipy import stats
def method(): return None
def stated():
    class Made(pydantic.TypeAdapter):
        def _init_core_attrs(self): pass
def as_property():
    class Made(pd.DataFrame):
        @property
        def _mgr(self): pass
def as_static_method():
    class Made(pydantic.TypeAdapter):
        _init_core_attrs = staticmethod(print)
def called():
    type('Made', (pydantic.TypeAdapter,), {'_init_core_attrs': method})
def mixed_in():
    class Mixin:
        def _init_core_attrs(self): pass
    class Made(Mixin, pydantic.TypeAdapter): pass
def data_mixed_in():
    class Mixin: _parent_depth = 5
    class Made(Mixin, pydantic.TypeAdapter): pass
def mixed_in_from_another_heir():
    class Other(string.Formatter):
        def _init_core_attrs(self): pass
    class Made(Other, pydantic.TypeAdapter): pass
def later():
    class Mixin: pass
    class Between(Mixin): pass
    class Made(Between, pydantic.TypeAdapter): pass
    Mixin._init_core_attrs = method
def later_by_name():
    class Made(pydantic.TypeAdapter): pass
    setattr(Made, '_init_core_attrs', method)
for attack in (stated, as_property, as_static_method, called, mixed_in, data_mixed_in, mixed_in_from_another_heir, later, later_by_name):
    try: attack()
    except (AttributeError, TypeError) as error: print('private' in str(error))
    else: print(attack.__name__, 'ESCAPED')
class Frame(pd.DataFrame):
    _metadata = ['note']
    @property
    def _constructor(self): return Frame
    def _mine(self): return len(self)
class Exponential(stats.rv_continuous):
    def _pdf(self, x): return np.exp(-x)
    def _mine(self): return round(self.cdf(1), 3)
class Mixin:
    def _mine(self): return 'mine'
class Both(Mixin, pd.DataFrame): pass
Mixin._more = 1
print(Frame({'a': [1, 2]})[lambda frame: frame.a > 1]._mine(), Exponential(a=0)._mine(), Both({'a': [1]})._mine(), Both._more)
"""


class Heirs(unittest.TestCase):
    def test_no_private_name_of_a_library(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        run = host.run(PRIVATE_TO_A_LIBRARY, imports="numpy pandas pydantic scipy scipy.stats string".split())
        self.assertEqual((run.outcome, run.error, run.report["violations"]), ("completed", "", []))
        self.assertEqual(run.stdout, "True\n" * 9 + "1 0.632 mine 1\n")

    def test_private_attributes_of_their_own(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        run = host.run(ORDINARY_HEIRS, imports="collections datetime weakref numpy pandas pydantic".split())
        self.assertEqual((run.outcome, run.error, run.report["violations"]), ("completed", "", []))
        counted = "(5, 'nothing', False)"
        self.assertEqual(run.stdout, f"{counted} {counted} {counted} {counted}\n6 {counted} made\nset\n")


def _read_by_name(test: ast.expr) -> list[str]:
    """Return the name whose object's class is asked for, where it is not kept in a variable of the guard's."""
    match test:
        case ast.Compare(left=ast.Call(args=[ast.Name(name)])):
            return [name]
    return []


class Forms(unittest.TestCase):
    def test_a_function_has_two_forms_only_where_it_can(self) -> None:
        body = "    p._a\n    p._b\n"
        cases = {
            f"def f(p):\n{body}": True,
            f"def f(*, p):\n    'doc'\n{body}": True,
            "def f(p):\n    p._a\n": False,
            f"def f(q):\n{body}": False,
            f"def f(p):\n{body}    p = 1\n": False,
            f"def f(p):\n{body}    def g(): pass\n": False,
            f"def f(p):\n{body}    lambda: 0\n": False,
            f"def f(p):\n    global x\n{body}": False,
            f"def f(p):\n{body}" + "    x\n" * 30: False,
        }
        for code, forked in cases.items():
            with self.subTest(code):
                tree = ast.parse(code)
                _rewrite.Survey(tree).rewrite()
                function = tree.body[0]
                assert isinstance(function, ast.FunctionDef)
                self.assertEqual(any(isinstance(each, ast.If) for each in function.body), forked)

    def test_only_a_name_that_nobody_else_can_change_is_read_twice(self) -> None:
        cases = {
            "def f(p):\n    p._a\n": ["p"],
            "def f():\n    x = g()\n    x._a = x.b = 1\n": ["x", "x"],
            "def f():\n    for x in y: x._a\n": ["x"],
            "def f():\n    [(x := q) for q in y]\n    x._a\n": ["x"],
            "def f(p):\n    [p._a + q._a for q in y]\n": ["p", "q"],
            "f = lambda p: p._a\n": ["p"],
            "[x._a for x in x._b if x._c]\n": ["x", "x"],
            "list(x._a for x in y for z in x._b)\n": ["x", "x"],
            "class A:\n    list(x._a for x in y)\n": ["x"],
            "x = 1\nx._a\n": [],
            "def f():\n    x._a\n": [],
            "def f():\n    global x\n    x = 1\n    x._a\n": [],
            "def f():\n    [0 for x in y]\n    x._a\n": [],
            "def f(p):\n    list(0 for _ in p)\n    p._a\n": [],
            "def f(p):\n    def g():\n        nonlocal p\n        p = 1\n        p._a\n    p._a\n": [],
            "def f(p):\n    class A:\n        p._a\n    p._a\n": [],
            "def f(p):\n    list(((p := q), p._a) for q in y)\n": [],
            "list(((x := q), x._a) for q in y)\n": [],
            "[x._a for (x, *[z]) in y if z._b]\n": ["x", "z"],
            "[x._a for (q, x.b) in y]\n": [],
            "list(x._a for (q, x.b) in y)\n": [],
            "def f():\n    [x._a for (q, z[x]) in y]\n": [],
            "[x._a for q[[x for x in y][0]] in y]\n": [],
            "[x._a for q[lambda x: x] in y]\n": [],
            "[lambda: x for x in y if x._a]\n": [],
            "[[z for z in y if (lambda: x)] for x in y if x._a]\n": [],
            "class A:\n    x = 1\n    x._a\n": [],
            "class A:\n    [x._a for x in y]\n": [],
            "def f(p):\n    [0 for p._a in y]\n": [],
            "def f(p):\n    @p._a\n    def g(q=p._b): pass\n": [],
        }
        for code, expected in cases.items():
            with self.subTest(code):
                tree = ast.parse(code)
                _rewrite.Survey(tree).rewrite()
                asked = [node.test for node in ast.walk(tree) if isinstance(node, ast.IfExp)]
                self.assertEqual(sorted(name for test in asked for name in _read_by_name(test)), expected)

    def test_no_two_places_share_a_node(self) -> None:
        tree = ast.parse(MEANS_THE_SAME)
        _rewrite.Survey(tree).rewrite()
        nodes = [id(node) for node in ast.walk(tree) if isinstance(node, (ast.expr, ast.stmt))]
        self.assertEqual(len(nodes), len(set(nodes)))


if __name__ == "__main__":
    unittest.main()
