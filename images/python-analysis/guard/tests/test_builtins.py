"""The run's builtins and guarded attribute access: what ordinary code does with them
works as in Python, and no spelling reaches what the vetting refuses by name."""

from __future__ import annotations

import unittest
from typing import Any

from hotcell_guard.granting import _builtins
from hotcell_guard.granting._attributes import Attributes
from hotcell_guard.granting._own import REGISTER, is_own_class, register
from hotcell_guard.vetting import _helpers, _rules, _vet
from hotcell_guard.vetting._violations import Refused

RULES = _rules.Rules(
    frozenset("abc collections contextlib dataclasses enum functools json numbers operator typing".split()),
    frozenset(),
    frozenset(),
)


HELPERS = Attributes(RULES).helpers


def target(x: int = 1) -> int:
    """A function with real globals: what attacks want to read."""
    return x


class Foreign:
    """A library's class. Its private parts are not the script's."""

    _part = "PRIVATE"

    def __init__(self) -> None:
        self._state = "PRIVATE"

    def _work(self) -> str:
        return self._state

    @property
    def state(self) -> str:
        """A public property."""
        return self._state

    def run(self) -> int:
        """A public method, which the library itself may call."""
        return 0


def execute(code: str, rules: _rules.Rules = RULES) -> Any:
    """Run code as a session does, in this process, and return its last expression."""
    attributes = Attributes(rules)
    checked = _vet.vet(code.encode(), "script.py", rules).compile(attributes.helpers)
    table = _builtins.curated(rules, __import__, open, attributes)
    namespace = {"__name__": "__main__", "__builtins__": table, "target": target, "Foreign": Foreign}
    exec(checked.body, namespace)
    return eval(checked.last, namespace) if checked.last else None


DATACLASS = "from dataclasses import asdict, dataclass, field\n"

# What ordinary scripts do, and what comes of it in plain Python.
WORKS: dict[str, tuple[str, object]] = {
    "private attributes of own objects": (
        "class A:\n    def __init__(self): self._x = 1; self.__y = 2\n    def s(self, o): return self._x + self.__y + o._x + o.__y\n"
        "    @classmethod\n    def n(cls): cls._c = getattr(cls, '_c', 0) + 1; return cls._c\n"
        "a = A()\na._x += 1\n[a.s(A()), A.n(), A.n(), a._x, A._c]",
        [7, 1, 2, 2, 2],
    ),
    "private names that the compiler mangles": (
        "class _A:\n    def __init__(self): self.__x = 1\n    def f(self, o):\n        del o.__x\n        return hasattr(o, '_A__x')\n"
        "_A().f(_A())",
        False,
    ),
    "a linked list": (
        "class N:\n    def __init__(self, v, n=None): self._v, self._next = v, n\n"
        "c, s = N(1, N(2)), 0\nwhile c is not None:\n    s += c._v\n    c = c._next\ns",
        3,
    ),
    "formats": (
        "t = '{:.2f} {0}'[:6]\n[t.format(1.5), '{0[a]} {1.real}'.format({'a': 1}, 2), str.format('{}', 3), list(map('{:>3}'.format, [1])),\n"
        " '{x!r:>{w}}'.format(x='a', w=5), '{a}'.format_map({'a': 1}), str.format_map('{a}', {'a': 2}), format(1.5, '.2f')]",
        ["1.50", "1 2", "3", ["  1"], "  'a'", "1", "2", "1.50"],
    ),
    "formats of own private attributes": (
        "class P:\n    def __init__(self): self._x = 3; self.y = 4\np = P()\nt = '{0._x} {0.y} {0.__class__.__name__}'\n"
        "[t.format(p), '{0._x}'.format(p), '{a._x!r:>5}'.format_map({'a': p}), '{.__dict__}'.format(p)]",
        ["3 4 P", "3", "    3", "{'_x': 3, 'y': 4}"],
    ),
    "formats of texts of other classes": (
        "from collections import UserString\nclass S(str):\n    def f(self, *a): return super().format(*a)\n"
        "[UserString('{}').format(3), S('{}').f(4), S('{}').format(5), UserString.format(UserString('{}'), 6)]",
        ["3", "4", "5", "6"],
    ),
    "attributes called format and obj": (
        "class A: pass\na = A()\na.format = 3\na.format += 1\na.obj = [1]\na.obj += [2]\n[a.format, a.obj]",
        [4, [1, 2]],
    ),
    "own exceptions with an object": (
        "class E(Exception):\n    def __init__(self, m, obj): super().__init__(m); self.obj = obj\ntry:\n    try: 1 / 0\n"
        "    except ZeroDivisionError as z: raise E('a', [1]) from z\nexcept E as e: r = [e.obj, e.args, type(e.__cause__).__name__]\nr",
        [[1], ("a",), "ZeroDivisionError"],
    ),
    "dataclasses": (
        DATACLASS + "@dataclass(frozen=True)\nclass P:\n    x: int\n    _y: int = 3\n    l: list = field(default_factory=list)\n"
        "    def __post_init__(self): object.__setattr__(self, 'x', 9)\np = P(1)\n[asdict(p), p._y, p.__dict__, p == P(2), str(p)]",
        [{"x": 9, "_y": 3, "l": []}, 3, {"x": 9, "_y": 3, "l": []}, True, "P(x=9, _y=3, l=[])"],
    ),
    "patterns": (
        DATACLASS + "from collections import namedtuple\nN = namedtuple('N', 'a b')\n@dataclass\nclass P:\n    x: int\n    y: int\nr = []\n"
        "for v in (P(1, 2), N(3, 4), 5, 'a', [1, 2], {'k': 1, 'z': 2}, 1.5):\n    match v:\n        case P(x, y=2): r.append(x)\n"
        "        case N(a, b): r.append((a, b))\n        case int(i): r.append(i)\n        case str() as s: r.append(s)\n"
        "        case [a, *b]: r.append(b)\n        case {'k': k, **rest}: r.append(rest)\n        case _: r.append(None)\nr",
        [1, (3, 4), 5, "a", [2], {"z": 2}, None],
    ),
    "metaclasses": (
        "class M(type):\n    _made = {}\n    def __new__(m, n, b, d, **k): return super().__new__(m, n, b, d)\n    def __call__(cls, *a):\n"
        "        if cls not in cls._made: cls._made[cls] = super().__call__(*a)\n        return cls._made[cls]\n"
        "class S(metaclass=M): pass\n[S() is S(), type(S) is M, isinstance(S, M), issubclass(M, type)]",
        [True, True, True, True],
    ),
    "type": (
        "T = type('T', (list,), {'f': lambda self: len(self)})\n"
        "[T([1]).f(), type(1) is int, isinstance(int, type), isinstance(1, type), type(int) is type, type(type) is type,\n"
        " int.__class__ is type, repr(type), repr(type[int]), type(T()) is T, T().__class__ is T, repr(type | None)]",
        [1, True, True, False, True, True, True, "<class 'type'>", "type[int]", True, True, "type | None"],
    ),
    "abstract classes": (
        "from abc import ABC, abstractmethod\nclass A(ABC):\n    @abstractmethod\n    def f(self): ...\nclass B(A):\n"
        "    def f(self): return self._h()\n    def _h(self): return 2\n[B().f(), isinstance(B(), A)]",
        [2, True],
    ),
    "enumerations": (
        "import enum\nclass C(enum.Enum):\n    A = 1\n    B = 2\n    @classmethod\n    def _missing_(cls, v): return cls.A\n    @property\n"
        "    def n(self): return self._name_ + self.name\nclass V(enum.Enum):\n    def __new__(cls, v):\n        o = object.__new__(cls)\n"
        "        o._value_ = v * 2\n        return o\n    X = 3\n[C(7).value, C.B.n, len(C), 1 in C._value2member_map_, V.X.value]",
        [1, "BB", 2, True, 6],
    ),
    "generics and protocols": (
        "from typing import Generic, NamedTuple, Protocol, TypedDict, TypeVar, runtime_checkable\nT = TypeVar('T')\n"
        "class S(Generic[T]):\n    def __init__(self): self._i: list[T] = []\n    def push(self, x): self._i.append(x); return self\n"
        "    def __len__(self): return len(self._i)\n@runtime_checkable\nclass P(Protocol):\n    def push(self, x): ...\n"
        "class N(NamedTuple):\n    a: int\n    b: int = 2\n    def s(self): return self.a + self.b\nclass D(TypedDict): x: int\n"
        "[len(S[int]().push(1)), isinstance(S(), P), isinstance(1, P), N(1).s(), N(1)._asdict(), D(x=1)]",
        [1, True, False, 3, {"a": 1, "b": 2}, {"x": 1}],
    ),
    "namespaces": (
        "class A:\n    def __init__(self, **k): self.__dict__.update(k); self.z = 1\n    def __repr__(self): return str(self.__dict__)\n"
        "a = A(x=1)\nd = vars(a)\nd['q'] = 3\nd.setdefault('s', 4)\nd |= {'t': 5}\ndel d['x']\n"
        "[str(a), a.q, d.pop('q'), d.pop('q', 0), hasattr(a, 'q'), sorted(n for n in dir(a) if n[0] != '_'), 'f' in vars(A), d.clear(), vars(a)]",
        ["{'z': 1, 'q': 3, 's': 4, 't': 5}", 3, 3, 0, False, ["s", "t", "z"], False, None, {}],
    ),
    "names of own scopes": ("def f(a):\n    b = 1\n    return dir()\n[f(0), 'f' in dir(), hasattr(f, '__name__')]", [["a", "b"], True, True]),
    "decorators with state": (
        "from functools import lru_cache, partial, wraps\ndef d(f):\n    @wraps(f)\n    def w(*a): w._n += 1; return f(*a)\n    w._n = 0\n"
        "    w.__name__ = 'x'\n    return w\n@d\ndef g(): 'doc'\ng()\n@lru_cache\ndef c(): pass\nc._hits = 1\np = partial(g)\np.__name__ = 'p'\n"
        "[g._n, g.__name__, g.__doc__, c._hits, p.__name__]",
        [1, "x", "doc", 1, "p"],
    ),
    "descriptors": (
        "class D:\n    def __set_name__(self, o, n): self._n = '_' + n\n    def __get__(self, i, o=None): return self if i is None else getattr(i, self._n, 0)\n"
        "    def __set__(self, i, v): setattr(i, self._n, v)\n    def __delete__(self, i): delattr(i, self._n)\nclass A:\n    x = D()\n"
        "a = A()\na.x = 5\nr = [a.x, a._x]\ndel a.x\nr + [a.x]",
        [5, 5, 0],
    ),
    "hooks of attribute access": (
        "class A:\n    def __setattr__(self, k, v): super().__setattr__(k, v * 2)\n    def __getattr__(self, n): return n\n"
        "    def __delattr__(self, n): object.__delattr__(self, n)\na = A()\na.x = 2\nb = a.x\ndel a.x\n[b, a.x, a._foo, getattr(a, 'y')]",
        [4, "x", "_foo", "y"],
    ),
    "registries of subclasses": (
        "class B:\n    _r = {}\n    def __init_subclass__(cls, /, k=None, **kw): super().__init_subclass__(**kw); cls._r[k] = cls; cls._k = k\n"
        "class A(B, k='a'):\n    def f(self): return self._k\n[B._r['a']._k, A().f()]",
        ["a", "a"],
    ),
    "singletons": (
        "class A:\n    _i = None\n    def __new__(cls, *a):\n        if cls._i is None: cls._i = super().__new__(cls)\n        return cls._i\nA() is A()",
        True,
    ),
    "classes that inherit from a library's": (
        "import json\nfrom collections import Counter, UserDict\nclass E(json.JSONEncoder):\n    def default(self, o): self._n = getattr(self, '_n', 0) + 1; return list(o)\n"
        "class D(UserDict):\n    def __init__(self): super().__init__(); self._z = 1\nclass C(Counter):\n    def top(self): self._t = 1; return self._t\n"
        "class F(Foreign):\n    def _task(self): return 'own'\n    def f(self): self._mine = 2; return [self._task(), self._mine]\n"
        "[json.dumps({1}, cls=E), D()._z, C('aab').top(), F().f()]",
        ["[1]", 1, 1, ["own", 2]],
    ),
    "public attributes that are set": (
        "import json\nclass A:\n    n = 0\n    def f(self): self.n += 1; self.m = A(); self.m.n = 5; return self.n\na = A()\nA.n = 3\n"
        "a.k = a.f() + a.m.n\nf = Foreign()\nf.run = 1\ndel f.run\ndef g(): pass\ng.n = 1\n[a.k, A.n, f.run(), g.n]",
        [9, 3, 0, 1],
    ),
    "type parameters in a class": (
        "class A:\n    type X = int\n    def f[T](self, x: T) -> T: return x\nclass B[T]:\n    def g(self, x: T) -> T: return x\n"
        "[A().f(3), B().g(4), A.X.__name__]",
        [3, 4, "X"],
    ),
    "templates used again": (
        "class S(str): pass\nclass F:\n    def format(self, x): return x\nt = '<{}>'\ndef f(t): return t.format(1)\n"
        "[t.format(0), t.format(1), f(t), f(t), f(S(t)), f(S(t)), f(F())]",
        ["<0>", "<1>", "<1>", "<1>", "<1>", "<1>", 1],
    ),
    "attributes of items and chains": (
        "class A:\n    def __init__(self): self._n = self.n = 0; self.next = self\na = [A()]\n"
        "for _ in range(3):\n    a[0].n += 1\n    a[0].next._n += a[0]._n + 1\n(a[0].n, a[0]._n)",
        (3, 7),
    ),
    "attributes that are asked for twice": (
        "class A:\n    x = 1\n[(hasattr(A, 'x'), hasattr(A, 'y'), getattr(A, 'x'), getattr(A, 'y', 2)) for _ in range(2)]",
        [(True, False, 1, 2)] * 2,
    ),
    "more names and templates than are remembered": (
        "t = [getattr(1, f'x{i}', None) for i in range(5000)]\nt[-1], getattr(1, 'x' * 5000, 7), len(('{}' * 5000).format(*range(5000)))",
        (None, 7, 18890),
    ),
    "attributes of own functions through a method": ("class A:\n    def f(self): pass\nA.f._x = 3\nA().f._x", 3),
    "contexts": (
        "class C:\n    def __enter__(self): return self\n    def __exit__(self, t, v, tb): self._e = v; return True\nwith C() as c: 1 / 0\ntype(c._e).__name__",
        "ZeroDivisionError",
    ),
    "properties": (
        "class T:\n    def __init__(s): s._c = 0\n    @property\n    def c(self): return self._c\n    @c.setter\n    def c(self, v): self._c = v\n"
        "t = T()\nt.c = 4\nt.c += 1\nt.c",
        5,
    ),
    "generators": ("def g():\n    x = yield 1\n    yield x\ni = g()\nnext(i)\ni.send(3)", 3),
    "coroutines that are driven by hand": (
        "async def f(): return 3\nasync def g(): return await f() + 1\nc = g()\ntry: c.send(None)\nexcept StopIteration as s: r = s.value\nr",
        4,
    ),
    "a library's special methods with objects of its own": (
        "class A(Foreign):\n    def __init__(self):\n        Foreign.__init__(self)\n        super().__init__()\n"
        "        super(A, self).__init__()\n        self.x = 1\nA().x",
        1,
    ),
    "special methods taken over": (
        "class A(dict):\n    __hash__ = object.__hash__\n    __call__ = dict.__getitem__\n    __repr__ = dict.__len__\n"
        "A(a=2)('a') + A(a=1).__len__() + vars(A)['__repr__'](A())",
        3,
    ),
    "descriptors of one's own bound by hand": (
        "def f(self): return self + 1\nclass P:\n    @property\n    def p(self): return 2\n"
        "class Q(property): pass\nq = Q(f)\nf.__get__(1)() + P.p.__get__(P()) + q.__get__(1)",
        6,
    ),
    "annotations": ("class A:\n    x: int\ndef f(a: str): pass\n[*A.__annotations__, *f.__annotations__]", ["x", "a"]),
    "positional patterns of subclasses": (
        "class N(int): pass\nclass A: __match_args__ = ('x', 'y')\nclass B(A):\n    x = 1\n    y = 2\nkind = bool\n"
        "found = []\nfor each in (N(7), B(), True):\n    match each:\n        case B(x, y=b): found += [x, b]\n"
        "        case kind(t): found.append(t)\n        case N(n): found.append(n)\nfound",
        [7, 1, 2, True],
    ),
    "metaclasses that count": (
        "class M(type):\n    made = []\n    def __new__(m, name, bases, body, **k):\n"
        "        m.made.append(name)\n        return super().__new__(m, name, bases, body)\n"
        "class A(metaclass=M): pass\nM('B', (A,), {})\nM.made",
        ["A", "B"],
    ),
}

MEMORY = "{'__array_' + 'interface__': {}}"
GLOBALS = "'{0.__glob' + 'als__}'"
LIAR = (
    "class S(str):\n    def __hash__(self): return hash('{0.real}')\n    def __eq__(self, o): return True\n"
    f"t = '{{0.real}}'\nt.format(1)\ns = S({GLOBALS})\n"
)
RADD = "class R:\n    def __radd__(self, other): self.o = other; return self\nr = R()\n"

# Each would read or change what a name that the vetting refuses gives.
HELD = {
    "a built template": f"t = {GLOBALS}\nt.format(target)",
    "str.format": f"str.format({GLOBALS}, target)",
    "the format of a text's class": f"type('').format({GLOBALS}, target)",
    "the format of __class__": f"''.__class__.format({GLOBALS}, target)",
    "format behind super": f"class S(str):\n    def f(self, *a): return super().format(*a)\nS({GLOBALS}).f(target)",
    "format by getattr": f"getattr({GLOBALS}, 'for' + 'mat')(target)",
    "format by map": f"list(map(str.format, [{GLOBALS}], [target]))",
    "format of a subclass": f"class S(str): pass\nS({GLOBALS}).format(target)",
    "format as a method": f"class S(str):\n    g = str.format\nS({GLOBALS}).g(target)",
    "format_map": f"({GLOBALS}.replace('0', 'a')).format_map({{'a': target}})",
    "a built template as a nested field": "('{0:{0.__glob' + 'als__}}').format(target)",
    "format that an operator is given": f"{RADD}class S(str): pass\ns = S({GLOBALS})\ns.format += r\nr.o(target)",
    "format of a UserString": f"from collections import UserString\nUserString({GLOBALS}).format(target)",
    "format of UserString itself": f"from collections import UserString\nUserString.format({GLOBALS}, target)",
    "format by a positional pattern": "class A(str): __match_args__ = ('format',)\nmatch A(''):\n    case A(f): pass",
    "private parts in a template": "t = '{0._state}'\nt.format(Foreign())",
    "an error's object": "try: target.nope\nexcept AttributeError as e: e.obj",
    "an error's object by getattr": "try: target.nope\nexcept AttributeError as e: getattr(e, 'obj')",
    "an error's object that an operator is given": f"{RADD}try: target.nope\nexcept AttributeError as e: e.obj += r",
    "an error's object by a pattern of what it is not": (
        DATACLASS + "from abc import ABC\n@dataclass\nclass A(ABC):\n    obj: int\nA.register(AttributeError)\n"
        "try: target.nope\nexcept AttributeError as e:\n    match e:\n        case A(o): pass"
    ),
    "a frame by a positional pattern": (
        "T = type('T', (), {'__match_args__': ('gi_' + 'frame',)})\ndef g(): yield\nmatch g():\n    case T(x): pass"
    ),
    "a pattern's names from a metaclass": (
        "class M(type):\n    def __getattr__(cls, n): return ('x',)\nclass A(metaclass=M): pass\nmatch A():\n    case A(x): pass"
    ),
    "a class that a pattern calls int": (
        "class E: __match_args__ = ('gi_' + 'frame',)\nmatch E:\n    case int: pass\nmatch 1:\n    case int(x): pass"
    ),
    "a frame by getattr": "def g(): yield\ngetattr(g(), 'gi_' + 'frame')",
    "code by getattr": "getattr(target, '__co' + 'de__')",
    "builtins by getattr": "getattr(print, '__se' + 'lf__')",
    "getattr with a default": "if getattr(print, '__se' + 'lf__', None) is None: raise AttributeError",
    "a name that lies": "class S(str):\n    def startswith(self, *a): return False\n    def __eq__(self, o): return False\n    __hash__ = None\ngetattr(print, S('__se' + 'lf__'))",
    "a name that is no text": "getattr(print, b'x')",
    "getattr as a hook": "class A:\n    __getattr__ = getattr\nclass B(A):\n    __class_getitem__ = getattr\nB['__se' + 'lf__', 1].x",
    "getattr by reduce": "from functools import reduce\nreduce(getattr, ['__se' + 'lf__'], print)",
    "getattr as a decorator": "@(lambda f: getattr(print, '__se' + 'lf__'))\ndef f(): pass",
    "getattr as a property": "class A:\n    x = property(lambda self: getattr(print, '__se' + 'lf__'))\nA().x",
    "a special name of a class by type": "type('A', (), {'__array_interface__': {}})",
    "a special name by __class__": "int.__class__('A', (), {'__array_interface__': {}})",
    "a special name by getattr of __class__": "getattr(int, '__cla' + 'ss__')('A', (), {'__reduce__': 1})",
    "a special name by a metaclass's super": "class M(type):\n    def __new__(m, *a): return super(type, m).__new__(m, *a)\nM('A', (), {'__reduce__': 1})",
    "a special name by an own metaclass": "class M(type): pass\nM('A', (), {'__reduce__': 1})",
    "a special name by type.__new__": "type.__new__(type, 'A', (), {'__reduce__': 1})",
    "a special name by type.__call__": "type.__call__(type, 'A', (), {'__reduce__': 1})",
    "a special name by a library's metaclass": "from abc import ABC\nclass A(ABC): pass\ntype(A)('X', (), {'__reduce__': 1})",
    "a special name by a metaclass of a library's": "from abc import ABCMeta\nclass M(ABCMeta): pass",
    "a special name by a typing form": "import typing\ntyping.Type[int].__origin__('X', (), {'__reduce__': 1})",
    "a special name by setattr": "class A: pass\nsetattr(A, '__re' + 'duce__', 1)",
    "a special name by type.__setattr__": "class A: pass\ntype.__setattr__(A, '__re' + 'duce__', 1)",
    "a special name by delattr": "class A: pass\ndelattr(A, '__mod' + 'ule__')",
    "a namespace of its own making": "type('M', (type,), {'__prepare__': lambda *a: {}})",
    "a class that says it is a module's": "type('A', (), {'__module__': 'json'})",
    "annotations that are code": "type('A', (), {'__annotations__': {'a b': 1}})",
    "annotations that lie": "class D(dict): pass\ntype('A', (), {'__annotations__': D()})",
    "a special name in an instance's namespace": "class A: pass\nA().__dict__['__array_interface__'] = {}",
    "a special name in what vars gives": "class A: pass\nvars(A()).update({'__array_interface__': {}})",
    "memory by a fallback": "class A:\n    def __getattr__(self, n): return n\nprobe(A())",
    "memory by a fallback that type makes": "probe(type('A', (), {'__getattr__': lambda self, n: n})())",
    "memory by a fallback that is an object": "class F:\n    def __call__(self, n): return n\nclass A: __getattr__ = F()\nprobe(A())",
    "private parts of a library's object": "Foreign()._state",
    "private parts by getattr": "getattr(Foreign(), '_sta' + 'te')",
    "private parts of a library's class": "Foreign._part",
    "private parts as self": "class A:\n    def f(self): return self._state\nA.f(Foreign())",
    "private parts as an heir": "class A(Foreign):\n    def f(self): return self._state\nA().f()",
    "private parts of the class as an heir": "class A(Foreign):\n    def f(self): return self._part\nA().f()",
    "private parts behind super": "class A(Foreign):\n    def f(self): return super()._work\nA().f()",
    "private parts behind super of an own override": "class A(Foreign):\n    def _work(self): return super()._work()\nA()._work()",
    "private parts under an own method's name": "class A(Foreign):\n    def _state(self): pass\nA()._state",
    "private parts changed": "Foreign()._state = 1",
    "private parts changed as an heir": "class A(Foreign):\n    def f(self): self._state = 1\nA().f()",
    "private parts changed by an heir's class": "class A(Foreign):\n    _state = 1",
    "private parts changed by object.__setattr__": "class A(Foreign): pass\nobject.__setattr__(A(), '_sta' + 'te', 1)",
    "private parts in place as an heir": f"{RADD}class A(Foreign):\n    def f(self): self._state += r\nA().f()",
    "private parts deleted": "class A(Foreign): pass\ndel A()._state",
    "private parts in vars": "vars(Foreign())['_state']",
    "private parts of enumerations": "import enum\nclass E(enum.IntEnum):\n    @classmethod\n    def f(cls): return cls._convert_\nE.f()",
    "private parts by a class with an entry like ours": (
        f"T = type('T', (Foreign,), {{{REGISTER!r}: True, 'f': lambda self: self._state}})\nT().f()"
    ),
    "a library's class that says it is the script's": "pour(Foreign, '__module__', '__main__')\nForeign()._state",
    "a library's method replaced after it says so": "pour(Foreign, '__module__', '__main__')\nForeign.run = lambda self: 1",
    "a library's class that a metaclass answers with": (
        "class M(type):\n    def __new__(m, n, b, s): return Foreign\nclass A(metaclass=M): pass\nForeign.run = lambda self: 1"
    ),
    "a library's class that a metaclass of an enumeration answers with": (
        "import enum\nclass M(type(enum.Enum)):\n    def __new__(m, n, b, s, **k): return Foreign if n == 'X' else super().__new__(m, n, b, s, **k)\n"
        "class E(enum.Enum, metaclass=M): pass\nE('X', 'a')\nForeign.run = lambda self: 1"
    ),
    "a metaclass that is an object": (
        "class M:\n    def __getattr__(self, name): return lambda *a, **k: {}\n    def __call__(self, *a): return a\n"
        "class A(metaclass=M()): pass"
    ),
    "a metaclass that is a function": "def made(*a, **k): return a\nclass A(metaclass=made): pass",
    "a base that is an object": "class M:\n    def __new__(c, *a): return a\nm = object.__new__(M)\nclass A(m): pass",
    "what the body of a class is prepared with": (
        "class MM(type):\n    def __getattr__(c, n): return lambda *a, **k: print('asked')\n"
        "M = type('M', (type,), {'__prepare__': 1})\nclass A(metaclass=M): pass"
    ),
    "a positional pattern in a class body": (
        "class B: __match_args__ = ('real',)\nclass A:\n    match 1:\n        case B(x): pass"
    ),
    "a positional pattern of a builtin in a class body": "class A:\n    match 1:\n        case int(x): pass",
    "an error's object by the descriptor": "try: target.nope\nexcept AttributeError as e: AttributeError.obj.__get__(e)",
    "an error's object by an alias": "try: target.nope\nexcept AttributeError as e: type(list[int])(e, ()).obj",
    "a library's method replaced": "Foreign.run = lambda self: 1",
    "a library's method replaced by setattr": "setattr(Foreign, 'run', 1)",
    "a library's method replaced as self": "class A:\n    def f(self): self.run = 1\nA.f(Foreign)",
    "a library's method replaced by a function": "def f(x): x.run = 1\nf(Foreign)",
    "a library's method replaced in a chain": "class A: pass\nA.x = Foreign\nA.x.run = 1",
    "a library's method deleted": "del Foreign.run",
    "a library's method replaced by a loop": "for Foreign.run in (1,): pass",
    "a state for copy of a library's": "import numpy as np\ntype('A', (np.ndarray,), {'__getstate__': lambda self: {}})",
    "a state for copy by a class beside a library's": (
        "import pandas as pd\nclass M:\n    def __setstate__(self, s): self.got = s\nclass N(M, pd.DataFrame): pass"
    ),
    "a special name in a state": f"import copy\nclass A:\n    def __getstate__(self): return {MEMORY}\ncopy.copy(A())",
    "a special name in a state for slots": f"import copy\nclass A:\n    def __getstate__(self): return None, {MEMORY}\ncopy.copy(A())",
    "a special name in a namespace": f"class A: pass\nA().__dict__ = {MEMORY}",
    "a special name in a namespace by setattr": "class A: pass\nsetattr(A(), '__di' + 'ct__', {})",
    "a special name in a namespace in place": f"class A: pass\na = A()\na.__dict__ |= {MEMORY}",
    "a special name in a shared namespace": (
        f"class A:\n    s = {{}}\n    def __init__(self): self.__dict__ = self.s\nA()\nA.s.update({MEMORY})"
    ),
    "a special name among a dict's attributes": (
        "class D(dict):\n    def __init__(self): self.__dict__ = self\nsetattr(D(), '__array_' + 'interface__', {})"
    ),
    "a library's object's namespace replaced": "Foreign().__dict__ = {}",
    "a library's class's namespace replaced": "Foreign.__dict__ = {}",
    "the namespace of an heir of a library's replaced": "class A(Foreign): pass\nA().__dict__ = {}",
    "a module's namespace replaced": "import json\njson.__dict__ = {}",
    "the state of a library's object": "import random\nrandom.Random().__getstate__()",
    "private parts by a metaclass that equals any": "class M(type):\n    def __eq__(self, o): return True",
    "private parts by a metaclass that equals any, by type": "type('M', (type,), {'__hash__': lambda self: 1})",
    "private parts of another name than self": "def f(x): return x._state\nf(Foreign())",
    "private parts changed under another name": "def f(x): x._state = 1\nf(Foreign())",
    "a template that has been plain before": f"t = '{{0.real}}'\nt.format(1)\nt = {GLOBALS}\nt.format(target)",
    "a name that has been harmless before": "class S(str):\n    def __hash__(self): return hash('real')\n    def __eq__(self, o): return True\ngetattr(1, 'real')\ngetattr(print, S('__se' + 'lf__'))",
    "a name that equals one that has been harmless once": (
        "n = []\nclass S(str):\n    def __eq__(self, o): return True\n    def __hash__(self):\n"
        "        n.append(1)\n        return hash('real') if len(n) == 1 else str.__hash__(self)\n"
        "getattr(1, 'real')\ngetattr(print, S('__se' + 'lf__'))"
    ),
    "a template that equals one that was checked": f"{LIAR}s.format(target)",
    "a template that equals one that was checked, in a function": f"{LIAR}def f(x): return x.format(target)\nf('')\nf(s)",
    "private parts of an item after one's own": "class A:\n    _state = 1\n[A()][0]._state\n[Foreign()][0]._state",
    "private parts of a variable after one's own": "class A:\n    _state = 1\nfor x in (A(), Foreign()): x._state",
    "a library's method after one's own": "class A: pass\nfor x in (A(), A, Foreign): [x][0].run = 1",
    "a library's method through a variable": "class A: pass\nfor x in (A(), Foreign): x.run = 1",
    "a module's attribute": "import json\nsetattr(json, 'x', 1)",
    "the namespace of an object without one": "vars(1)",
    "the format method of what is no text": "f = str.format\nf(1)",
    "a positional pattern of what is no class": "x = 1\nmatch 1:\n    case x(1): pass",
    "a builtin class's namespace": "vars(str)['format']",
    "a builtin class's namespace by name": "str.__dict__['format_map']",
    "a change of the local variables": "vars()['x'] = 1",
    "a change of the global variables": "globals().update(x=1)",
    "the name of a library's function": "target.__name__ = 'x'",
    "the metaclass's namespace": "type(type).__dict__",
    "a library's __init__ with a foreign self": "class A: pass\nForeign.__init__(A())",
    "a library's __init__ with a foreign self by getattr": "class A: pass\ngetattr(Foreign, '__in' + 'it__')(A())",
    "a library's __init__ as one's own method": "class A: go = Foreign.__init__\nA().go()",
    "a library's __init__ from a class below": "class B(Foreign): pass\nclass A: pass\nB.__init__(A())",
    "a library's __init__ by super": "class B(Foreign): pass\nclass A: pass\nsuper(B, B).__init__(A())",
    "a library's __init__ by vars": "class B(Foreign): go = Foreign.__init__\nclass A: pass\nvars(B)['go'](A())",
    "a library's function bound to an object": "class A: pass\ntarget.__get__(A())",
    "a library's property bound to an object": "class A: pass\nForeign.state.__get__(A())",
    "a metaclass that inherits equality": (
        "class S:\n    def __eq__(self, o): return True\n    def __hash__(self): return 1\nclass M(S, type): pass"
    ),
    "a metaclass that inherits equality, before it is refused": (
        "k = []\nclass S:\n    def __eq__(self, o): return True\n    def __hash__(self): return 1\n"
        "class L:\n    def __set_name__(self, owner, name): k.append(owner)\ntry:\n    class M(S, type): x = L()\n"
        "except TypeError: pass\nclass A(metaclass=k[0]): pass"
    ),
    "private parts by a class that type makes of two": (
        "class P:\n    def f(self): return self._state\ntype('B', (P, Foreign), {})().f()"
    ),
    "private parts of what answers to the mark": (
        f"class A:\n    def f(self): return self._state\nf = Foreign()\nsetattr(f, {REGISTER!r}, True)\nA.f(f)"
    ),
    "the namespace of a class, by its cell": (
        "class M(type):\n    def __new__(m, n, b, d): d['__classdictcell__'].cell_contents; return super().__new__(m, n, b, d)\n"
        "class A(metaclass=M):\n    type X = int"
    ),
    "the cell of a class as that of its namespace": (
        "c = []\nclass M(type):\n    def __new__(m, n, b, d): c.append(d['__classcell__']); return super().__new__(m, n, b, d)\n"
        "class A(metaclass=M):\n    def f(self): return __class__\ntype('B', (), {'__classdictcell__': c[0]})"
    ),
    "a library's object initialised again": "Foreign().__init__()",
    "a library's object initialised again, by its class": "Foreign.__init__(Foreign())",
    "a library's property initialised again": "Foreign.state.__init__(pour)",
    "a library's property initialised again, by property": "property.__init__(Foreign.state, pour)",
    "what a library's class lacks": "Foreign.added = pour",
    "what a library's class lacks, by setattr": "setattr(Foreign, 'added', pour)",
    "a property over what instances hold": "Foreign.state = property(pour)",
    "attributes of a library's function": "Foreign.run.added = pour",
    "names of a pattern that the guard of a case has changed": (
        "class A: __match_args__ = ()\nmatch A():\n    case _ if pour(A, '__match_args__', ('__class__',)): pass\n"
        "    case A(x): pass"
    ),
}


def probe(obj: object) -> object:
    """Ask as numpy does."""
    return getattr(obj, "__array_interface__")


class Builtins(unittest.TestCase):
    def test_ordinary_code_works(self) -> None:
        for name, (code, expected) in WORKS.items():
            with self.subTest(name):
                self.assertEqual(execute(code), expected)

    def test_ordinary_code_is_right_about_plain_python(self) -> None:
        for name, (code, expected) in WORKS.items():
            with self.subTest(name):
                lines = code.split("\n")
                namespace: dict[str, Any] = {"__name__": "__main__", "target": target, "Foreign": Foreign}
                checked = _vet.ast.parse(code)
                last = _vet.ast.Expression(checked.body.pop().value)  # type: ignore[attr-defined]
                exec(compile(checked, name, "exec"), namespace)
                self.assertEqual(eval(compile(last, name, "eval"), namespace), expected, lines)

    def test_no_spelling_reaches_what_is_refused(self) -> None:
        for name, code in HELD.items():
            with self.subTest(name):
                # Of what was refused before it was made nobody has kept anything: an IndexError.
                self.assertRaises((Refused, AttributeError, LookupError, TypeError), self.attack, code)

    def attack(self, code: str) -> None:
        attributes = Attributes(RULES)
        checked = _vet.vet(code.encode(), "script.py", RULES).compile(attributes.helpers)
        table = _builtins.curated(RULES, __import__, open, attributes)
        namespace = {"__builtins__": table, "__name__": "__main__", "target": target, "Foreign": Foreign, "probe": probe, "pour": setattr}
        exec(checked.body, namespace)
        if checked.last is not None:
            eval(checked.last, namespace)

    def test_exit_ends_the_run(self) -> None:
        for code in ("exit()", "quit(None)", "exit(0)"):
            self.assertRaises(SystemExit, execute, code)

    def test_a_policy_takes_builtins_away(self) -> None:
        rules = _rules.Rules(frozenset(), frozenset(("getattr", "type", "dir")), frozenset())
        self.assertRaises(Refused, execute, "getattr(1, 'real')", rules)
        self.assertEqual(execute("class A:\n    def f(self): self._x = 1; return self._x\nA().f()", rules), 1)

    def test_a_policy_takes_attributes_away_in_every_spelling(self) -> None:
        rules = _rules.Rules(frozenset(), frozenset(), frozenset(("bit_count",)))
        for code in ("getattr(1, 'bit_' + 'count')", "('{0.bit_' + 'count}').format(1)", "x = 1\nx.bit_count"):
            self.assertRaises((Refused, AttributeError), execute, code, rules)

    def test_names_are_not_listed_that_cannot_be_read(self) -> None:
        names = execute("class A: pass\ndir(A) + dir(A()) + list(vars(A)) + dir(target)")
        self.assertEqual({"__globals__", "__dict__", "__reduce__", REGISTER} & set(names), {"__dict__"} & set(names))

    def test_no_script_can_spell_what_the_guard_calls(self) -> None:
        self.assertFalse(REGISTER.isidentifier())
        for text in ("x in {1, 2}", "x in {'guarded getattr'}", "x in {(1, 2), frozenset({1})}", "({1}, {2}) == x"):
            constants = compile(text, "s", "eval").co_consts
            self.assertFalse(any(_helpers.is_marker(each) for each in constants))

    def test_no_name_leads_to_what_the_guard_calls(self) -> None:
        attributes = Attributes(RULES)
        table = _builtins.curated(RULES, __import__, open, attributes)
        for helper in (value for value in attributes.helpers.values() if value is not str):
            self.assertFalse(any(helper is each for each in table.values()))

    def test_own_classes_are_known_while_they_are_made(self) -> None:
        seen = execute(
            "seen = []\nclass L:\n    def __set_name__(self, owner, name): seen.append(owner)\n"
            "class B:\n    def __init_subclass__(cls): cls._name = 1; seen.append(cls)\n"
            "class A(B): x = L()\nT = type('T', (B,), {'x': L()})\nseen"
        )
        self.assertEqual([True] * 4, list(map(is_own_class, seen)))

    def test_what_registers_a_class_registers_no_other(self) -> None:
        self.assertRaises(TypeError, register().__set_name__, Foreign, "run")  # type: ignore[attr-defined]
        self.assertFalse(is_own_class(Foreign))

    def test_a_hasattr_that_cannot_look_says_no(self) -> None:
        self.assertEqual(execute("[hasattr(target, '__co' + 'de__'), hasattr(1, 'real'), hasattr(1, 'x')]"), [False, True, False])


class Cost(unittest.TestCase):
    def test_own_private_attributes_of_self_call_no_function(self) -> None:
        checked = _vet.vet(b"class A:\n    def f(self): return self._x", "s", RULES).compile(HELPERS)
        inner = next(each for each in checked.body.co_consts if hasattr(each, "co_consts"))
        method = next(each for each in inner.co_consts if hasattr(each, "co_consts"))
        calls = execute("class A:\n    def f(self): self._x = 1; return self._x\nA().f")
        self.assertEqual(calls(), 1)
        self.assertIn(HELPERS[_helpers.PURE], method.co_consts)

    def test_variables_of_own_classes_call_no_function(self) -> None:
        for code in (b"class A: _x = 1\na = A()\na._x", b"class A: x = 1\na = A()\na.x = 2"):
            constants = _vet.vet(code + b"\n0", "s", RULES).compile(HELPERS).body.co_consts
            self.assertIn(HELPERS[_helpers.PURE], constants)

    def test_templates_that_were_checked_call_no_function(self) -> None:
        body = _vet.vet(b"t = '{}'\nu = t.format(1)", "s", RULES).compile(HELPERS).body
        places = [body.co_consts.index(HELPERS[each]) for each in (_helpers.TEMPLATES, _helpers.READ)]
        self.assertEqual(sorted(places), places)
