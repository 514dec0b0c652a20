from __future__ import annotations

import ast
import builtins
import types
import unittest

from hotcell_guard.granting._attributes import Attributes
from hotcell_guard.vetting import _floor, _rewrite, _rules, _vet, _vetter
from hotcell_guard.vetting._violations import Refused, Violation

RULES = _rules.Rules(
    frozenset("pandas numpy scipy.stats matplotlib matplotlib.pyplot json math os.path dataclasses operator posix".split()),
    frozenset(("dir",)),
    frozenset(("to_sql",)),
)

HELPERS = Attributes(RULES).helpers

ACCEPTED = {
    "an empty script": "",
    "a comment with a UTF-8 cookie": "#!/usr/bin/python3\n# -*- coding: utf-8 -*-\nx = 1",
    "listed imports": "import pandas, numpy as np\nimport matplotlib, matplotlib.pyplot\nfrom json import loads, dumps as d",
    "a listed submodule under a name": "import scipy.stats as st\nfrom scipy import stats\nfrom scipy.stats import f_oneway",
    "an exception to the floor": "import os.path as path",
    "a future import": "from __future__ import annotations\nx: int = 1",
    "statistics that look like frames": "r = model.fit()\nr.f_pvalue, r.f_test('x'), s.to_frame(), r.tb_count",
    "the main guard": "if __name__ == '__main__':\n    print(1)",
    "class names": "class A:\n    __slots__ = ('_x',)\n    def __init__(self): self._x = self.__y = 1\n    __hash__ = None\n",
    "calls of special methods": "class A(dict):\n    def __getitem__(self, k): return super().__getitem__(k)",
    "private parts of own classes": "class A:\n    _n = 0\nA._n += 1",
    "named tuples": "p._replace(x=1)._asdict()",
    "the class of an object": "x.__class__.__name__",
    "a version": "import pandas as pd\npd.__version__",
    "a name that hides a builtin": "vars = [1]\ninput = vars\nprint(input)",
    "format strings": "'{:.2f} {0.real} {x[a]}'.format(1, x=2), f'{x!r:>{w}}'",
    "query and eval of a frame": "df.query('age > 60'), df.eval('z = a + b')",
    "private parts, of which the run decides": "def f(x): return x._a\nf(1)._b = 2\ndel x._c\nx._d += 1\nm._merge",
    "attributes that depend on the object": "t.format(1), e.obj, x.__dict__, x.__class__, str.format_map, x.__new__",
    "the name and text of an own function": "f.__name__ = 'g'\nf.__doc__ = f.__qualname__ = ''\ndel f.__doc__",
    "the end of a run": "exit()\nquit(1)\nvars(x), hasattr(x, 'y')",
    "array protocols": "class A:\n    __array_priority__ = 9\n    def __array_ufunc__(self, *a, **k): pass",
    "a property and its hooks": "class A:\n    def __setattr__(self, n, v): super().__setattr__(n, v)\n    def __init_subclass__(cls): super().__init_subclass__()",
    "positional patterns": "class P:\n    __match_args__ = ('a',)\nmatch x:\n    case P(a) | int(a): pass",
    "text that ends lines as Windows does": "x = 1\r\ny = 2\r\n",
    "every kind of statement": (
        "async def f(*a: int, b=1, **k) -> int:\n    async with a as b: pass\n    async for x in y: await x\n"
        "    return [x async for x in y]\n"
        "def g[T](x: T):\n    global h\n    def i():\n        nonlocal x\n    yield x\n    yield from x\n"
        "type L[*T] = list\nclass C[**P](A, metaclass=M): pass\n"
        "for i, *j in x:\n    continue\nelse: pass\nwhile True: break\n"
        "try: assert x, y\nexcept (A, B) as e: raise C from e\nelse: pass\nfinally: del x\n"
        "try: pass\nexcept* A: pass\n"
        "with open(x) as f, g: x += 1\n"
        "match x:\n    case [1, *r] if r: pass\n    case {'a': b, **k}: pass\n    case A(b, c=None) as d: pass\n    case -1 | x.y | _: pass\n"
        "x = {**a, 'b': 1} if a and not b else {1, 2}\ny: int = lambda a, /, b=1, *, c: (z := a) @ b // c ** -d\n"
        "x[1:2, ::3] < ~y is not z not in w\n{a: b for a in b if c}, {a for a in b}, (a for a in b), ..., b'', 1j\n"
    ),
}

REFUSED = [
    # what, code, rule, line, column
    ("an import that is not listed", "import sklearn", "import.denied", 1, 8),
    ("a prefix of a listed name", "import pandas2", "import.denied", 1, 8),
    ("a submodule of a listed package", "import pandas.io.common", "import.denied", 1, 8),
    ("the package of a listed submodule", "import scipy", "import.denied", 1, 8),
    ("the second name of an import", "import json, socket", "import.denied", 1, 14),
    ("the floor, though listed", "import posix", "import.denied", 1, 8),
    ("a name from the floor", "from posix import getpid", "import.denied", 1, 19),
    ("a name from an unlisted module", "from sys import path", "import.denied", 1, 17),
    ("a star import", "from json import *", "import.denied", 1, 18),
    ("a star import below the script's level", "def f():\n    from math import *", "import.denied", 2, 22),
    ("a relative import", "from . import x", "import.denied", 1, 1),
    ("a relative import of a listed name", "from .json import x", "import.denied", 1, 1),
    ("a private name", "from json import _default_decoder", "import.denied", 1, 18),
    ("a module as a name", "from pandas import os", "import.denied", 1, 20),
    ("an import bound to a special name", "import json as __builtins__", "attribute.denied", 1, 8),
    ("eval", "x = eval('1')", "builtin.denied", 1, 5),
    ("a builtin as a value", "f = [exec]", "builtin.denied", 1, 6),
    ("compile", "compile('x', '', 'eval')", "builtin.denied", 1, 1),
    ("a builtin that the policy denies", "dir(x)", "builtin.denied", 1, 1),
    ("__import__, also when bound", "__import__ = 1", "builtin.denied", 1, 1),
    ("a special name", "__builtins__", "attribute.denied", 1, 1),
    ("a special name that is assigned", "__name__ = 'json'", "attribute.denied", 1, 1),
    ("a special attribute", "f.__globals__", "attribute.denied", 1, 1),
    ("the class's attribute, assigned", "x.__class__ = A", "attribute.denied", 1, 1),
    ("a special attribute, deleted", "del x.__module__", "attribute.denied", 1, 5),
    ("a frame", "g.gi_frame", "attribute.denied", 1, 1),
    ("a full-width spelling", "g.ｇi_frame", "attribute.denied", 1, 1),
    ("a module by attribute", "pd.io.common.os", "attribute.denied", 1, 1),
    ("a module by private attribute", "import json\njson._os", "attribute.denied", 2, 1),
    ("a private attribute of a module", "import pandas as pd\npd._libs.x", "attribute.denied", 2, 1),
    ("a denied attribute after wide characters", "x = 'äöü€😀', pd._os", "attribute.denied", 1, 14),
    ("an attribute that the policy denies", "df.to_sql(x)", "attribute.denied", 1, 1),
    ("pickles", "df.to_pickle('x')", "attribute.denied", 1, 1),
    ("an attribute in a pattern", "match f:\n    case object(__globals__=g): pass", "attribute.denied", 2, 10),
    ("a special name in a pattern", "match f:\n    case [*__builtins__]: pass", "attribute.denied", 2, 11),
    ("a special name as rest", "match f:\n    case {**__builtins__}: pass", "attribute.denied", 2, 10),
    ("a special name as capture", "match f:\n    case __builtins__: pass", "attribute.denied", 2, 10),
    ("a special name as parameter", "def f(__builtins__): pass", "attribute.denied", 1, 7),
    ("a special name as keyword", "f(__builtins__=1)", "attribute.denied", 1, 3),
    ("a special name as exception", "try: pass\nexcept A as __builtins__: pass", "attribute.denied", 2, 1),
    ("a special name as global", "def f():\n    global __builtins__", "attribute.denied", 2, 5),
    ("a special name as function", "def __build_class__(): pass", "attribute.denied", 1, 1),
    ("a special name as class", "class __builtins__: pass", "attribute.denied", 1, 1),
    ("a special name as type parameter", "def f[__builtins__](): pass", "attribute.denied", 1, 7),
    ("a special name in a lambda of a class body", "class A:\n    f = lambda: __init__", "attribute.denied", 2, 17),
    ("an attribute in an annotation", "x: f.__code__ = 1", "attribute.denied", 1, 4),
    ("an attribute in a default", "def g(a=f.__code__): pass", "attribute.denied", 1, 9),
    ("an attribute in a format specification", "f'{x:{f.__code__}}'", "attribute.denied", 1, 7),
    ("an attribute in a type alias", "type X = f.__code__", "attribute.denied", 1, 10),
    ("an attribute in a format field", "'{0.__globals__}'.format(f)", "attribute.denied", 1, 1),
    ("an attribute in a nested format field", "'{0:{1.__globals__}}'.format(f, f)", "attribute.denied", 1, 1),
    ("an attribute in a mapped format field", "'{f[x].__globals__}'.format_map(d)", "attribute.denied", 1, 1),
    ("an attribute in a field of a late template", "'{0._x.__globals__}'.format(f)", "attribute.denied", 1, 1),
    ("a guarded attribute in a pattern", "match f:\n    case str(format=g): pass", "attribute.denied", 2, 10),
    ("the object of an error in a pattern", "match f:\n    case A(obj=g): pass", "attribute.denied", 2, 10),
    ("a private attribute in a pattern", "match f:\n    case A(_x=g): pass", "attribute.denied", 2, 10),
    ("a private attribute as a pattern's value", "match f:\n    case A._x: pass", "attribute.denied", 2, 10),
    ("a private attribute as a pattern's key", "match f:\n    case {A._x: g}: pass", "attribute.denied", 2, 11),
    ("a private class of a pattern", "match f:\n    case A._X(): pass", "attribute.denied", 2, 10),
    ("a frame read by a helper", "x.gi_frame.format", "attribute.denied", 1, 1),
    ("a denied name read by a helper", "x._os", "attribute.denied", 1, 1),
    ("a denied name written by a helper", "x._os = 1", "attribute.denied", 1, 1),
    ("a namespace that is deleted", "del x.__dict__", "attribute.denied", 1, 5),
    ("a class's special name that says where it lives", "class A:\n    __module__ = 'json'", "attribute.denied", 2, 5),
    ("a hook of copy", "class A:\n    def __reduce__(self): pass", "attribute.denied", 2, 5),
    ("an address of memory", "class A:\n    __array_interface__ = {}", "attribute.denied", 2, 5),
    ("an object that lies about its class", "class A:\n    def __instancecheck__(self, x): pass", "attribute.denied", 2, 5),
    ("a carriage return alone", "x = 1 # y\rimport os", "source.control", 1, 10),
    ("a form feed", "if x:\n\f    y = 1", "source.control", 2, 1),
    ("a terminal's escape", "x = '\x1b[1m'", "source.control", 1, 6),
    ("text that is not Python", "x = (", "syntax.error", 1, 5),
    ("what only the compiler refuses", "x = 1\nyield x", "syntax.error", 2, 1),
    ("a number without end", "x = " + "9" * 5000, "syntax.error", 1, 1),
    ("deep nesting", "x = " + "-" * 50_000 + "1", "source.complexity", 0, 0),
    ("deep nesting that parses", "x = " + "-" * 2000 + "1", "source.complexity", 0, 0),
    ("too many nodes", "x = [" + "1," * 210_000 + "]", "source.complexity", 0, 0),
    ("NUL", "x = 1\ny = '\0'", "source.nul", 2, 6),
    ("a byte order mark", "\ufeffx = 1", "source.bom", 1, 1),
    ("text that runs in another order than it is shown", "x = 1 # \u202e", "source.bidi", 1, 9),
    ("a coding cookie", "# coding: utf-7\nx = 1", "source.coding", 1, 11),
    ("a coding cookie in the second line", "#!/bin/x\n# vim: set fileencoding=latin-1 :", "source.coding", 2, 25),
    ("a coding cookie after an empty line", "\n# coding: utf-7", "source.coding", 2, 11),
]

# Node classes that no script's tree holds, and why there is no method for them.
ABSENT = {
    *("AST", "mod", "stmt", "expr", "expr_context", "boolop", "operator", "unaryop", "cmpop"),  # abstract
    *("excepthandler", "pattern", "type_param", "type_ignore"),  # abstract
    *("Interactive", "Expression", "FunctionType", "TypeIgnore"),  # other modes of parsing
    *("slice", "Index", "ExtSlice", "Suite", "AugLoad", "AugStore", "Param"),  # of older Pythons
    "alias",  # checked with its import statement
}


def findings(code: str | bytes, rules: _rules.Rules = RULES) -> list[Violation]:
    try:
        _vet.vet(code.encode() if isinstance(code, str) else code, "script.py", rules).compile(HELPERS)
    except Refused as refused:
        return refused.violations
    return []


class Vetting(unittest.TestCase):
    def test_accepts(self) -> None:
        for name, code in ACCEPTED.items():
            with self.subTest(name):
                self.assertEqual(findings(code), [])

    def test_refuses(self) -> None:
        for name, code, rule, line, column in REFUSED:
            with self.subTest(name):
                found = findings(code)
                self.assertEqual([(each.rule, each.line, each.column) for each in found], [(rule, line, column)], found)
                self.assertGreater(len(found[0].message), 20)

    def test_refuses_invalid_utf8(self) -> None:
        self.assertEqual([each[:3] for each in findings(b"x = 1\ny = '\xff'")], [("source.encoding", 2, 1)])

    def test_finds_everything_at_once_in_order(self) -> None:
        found = findings("f.__code__\nimport posix\neval(exec)\neval(exec)")
        places = [(each.line, each.column, each.rule) for each in found]
        self.assertEqual(places, sorted(places))
        self.assertEqual(len(found), 6)

    def test_caps_the_findings(self) -> None:
        self.assertEqual(len(findings("import posix\n" * 500)), 100)

    def test_tells_what_is_allowed(self) -> None:
        for code, advice in (
            ("import jsn", "write 'import json'"),
            ("import scipy.stat", "write 'import scipy.stats'"),
            ("import numpy.typing", "write 'import numpy', and use what dir() of it tells"),
            ("import numpy.exceptions", "write 'import numpy as np' and use np.exceptions"),
            ("import numpy.core.multiarray", "use 'import numpy as np': what was in numpy.core is in np"),
            ("import matplotlib.animation.x", "of matplotlib this policy has pyplot"),
            ("import x", "it is not in this image, and nothing can be installed"),
            ("import termios", "no policy can allow it"),
            ("import pandas.api.types", "write 'import pandas as pd' and use pd.api.types"),
            ("from statsmodels.stats.anova import anova_lm", "this policy does not allow it"),  # nor what leads there
            ("import xgboost", "nothing can be installed; write the model with numpy"),
            ("import bokeh", "draw with matplotlib.pyplot"),
            ("from pathlib import Path", "DATA and OUTPUT are paths already"),
            ("import glob", "DATA.glob"),
            ("import sys", "raise SystemExit"),
            ("import requests", "there is no network"),
            ("import urllib.request", "there is no network"),
            ("import subprocess", "no other program can be started"),
            ("import pickle", "write tables with DataFrame.to_csv"),
            ("import logging", "use print()"),
        ):
            with self.subTest(code):
                message = findings(code)[0].message
                self.assertIn(advice, message)
                self.assertLess(len(message), 200)

    def test_a_name_without_end_costs_no_time(self) -> None:
        self.assertLess(len(findings("import " + "a" * 50_000)[0].message), 200)

    def test_says_what_to_do_about_lines_that_are_no_python(self) -> None:
        for code, line, advice in (
            ("```python\nx = 1\n```", 1, "remove the lines with ```"),
            ("x = 1\n```", 2, "remove the lines with ```"),
            ("x = 1\n  %matplotlib inline", 2, "remove it"),
            ("%matplotlib inline", 1, "a notebook's command; remove it"),
            ("!pip install x", 1, "a shell command; remove it"),
            ("x = = 1", 1, "invalid syntax"),
        ):
            with self.subTest(code):
                found = findings(code)[0]
                self.assertEqual((found.rule, found.line), ("syntax.error", line))
                self.assertIn(advice, found.message)

    def test_tells_how_a_column_with_an_underscore_is_read(self) -> None:
        self.assertIn("df['_x']", findings("import pandas as pd\npd._x")[0].message)

    def test_refuses_syntax_that_the_policy_denies(self) -> None:
        denied = frozenset(("Global", "Nonlocal", "Import", "ImportFrom", "NamedExpr", "MatMult"))
        rules = _rules.Rules(RULES.imports, frozenset(), frozenset(), denied)
        code = (
            "import json, os\nfrom json import x\ndef f(b):\n    global a\n    def g():\n        nonlocal b\n    (c := 1)\n"
            "    match a:\n        case A(x): pass\nA @ A"
        )
        found = findings(code, rules)
        self.assertEqual({each.rule for each in found}, {"syntax.denied"})
        self.assertEqual([each.line for each in found], [0, 1, 2, 4, 6, 7])
        for name in denied - {"MatMult"}:
            self.assertIn(_rules.SYNTAX_ADVICE[name], [each.message for each in found])

    def test_advises_about_syntax_that_exists(self) -> None:
        for name, advice in _rules.SYNTAX_ADVICE.items():
            self.assertTrue(issubclass(getattr(ast, name), (ast.stmt, ast.expr)), name)
            self.assertIn(";", advice)

    def test_every_rule_has_help(self) -> None:
        reported = {rule for _, _, rule, _, _ in REFUSED}
        others = {"name.reserved", "syntax.denied", "source.encoding", "source.unchecked", "node.unclassified"}
        self.assertEqual(reported | others, set(_rules.RULES))

    def test_refuses_when_the_check_itself_breaks(self) -> None:
        class Broken(frozenset[str]):
            def __contains__(self, name: object) -> bool:
                raise ArithmeticError

        rules = _rules.Rules(frozenset(), frozenset(), frozenset())
        rules.builtins = Broken()
        self.assertEqual([each.rule for each in findings("x", rules)], ["source.unchecked"])

    def test_vetting_is_deterministic(self) -> None:
        for code in (*ACCEPTED.values(), *(each[1] for each in REFUSED)):
            self.assertEqual(findings(code), findings(code))

    def test_compiles_the_checked_tree(self) -> None:
        checked = _vet.vet(b"'doc'\nx = 1\nx + 1", "s.py", RULES).compile(HELPERS)
        names: dict[str, object] = {}
        exec(checked.body, names)
        assert checked.last is not None
        self.assertEqual(eval(checked.last, names), 2)
        self.assertEqual(checked.body.co_filename, "s.py")

    def test_does_not_inherit_the_guards_own_future(self) -> None:
        checked = _vet.vet(b"def f(a: 1 + 1): pass\nx = f.x", "s.py", RULES).compile(HELPERS)
        names: dict[str, object] = {}
        with self.assertRaises(AttributeError):
            exec(checked.body, names)
        self.assertEqual(vars(names["f"].__class__)["__annotations__"].__get__(names["f"]), {"a": 2})

    def test_refuses_a_node_class_that_nobody_classified(self) -> None:
        class Novelty(ast.expr):
            pass

        tree = ast.parse("x = 1")
        tree.body[0].value = Novelty()  # type: ignore[attr-defined]
        vetter = _vetter.Vetter(RULES, "x = 1", _rewrite.Survey(ast.parse("")))
        vetter.visit(tree)
        self.assertEqual([each.rule for each in vetter.violations], ["node.unclassified"])


class Expressions(unittest.TestCase):
    def test_accepts_what_people_write(self) -> None:
        for text in ("age > 60 and __pd_eval_local_t", " C(g)", "np.log(x + 1)", "cycler('color', 'rgb')"):
            with self.subTest(text):
                _vet.vet_expression(text, RULES)

    def test_refuses(self) -> None:
        for text in ("m.os.getpid()", "__import__('os')", "x.__class__.__mro__", "a b", "pd._libs", "-" * 5000 + "1"):
            with self.subTest(text), self.assertRaises(Refused):
                _vet.vet_expression(text, RULES)

    def test_refuses_to_set_an_attribute(self) -> None:
        for target in ("x.y", "(x.y, z)", "(z, *x.y)", "x[0].y", "x._y"):
            for private in (False, True):
                text = f"[0 for {target} in [1]][0]"
                with self.subTest(text), self.assertRaises(Refused):
                    _vet.vet_expression(text, RULES, private=private)

    def test_accepts_private_names_in_type_hints(self) -> None:
        _vet.vet_expression("np._typing._Tile", RULES, private=True)
        with self.assertRaises(Refused):
            _vet.vet_expression("np._typing.os", RULES, private=True)


class Completeness(unittest.TestCase):
    """What this Python has and what the rules say about it."""

    def test_every_node_class_is_classified(self) -> None:
        classes = {name for name, kind in vars(ast).items() if isinstance(kind, type) and issubclass(kind, ast.AST)}
        # Deprecated constants; ast hands them out on demand only.
        classes -= {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "_ast_Ellipsis"}
        # One of ours: what the rewriting makes of an attribute whose object it has checked.
        visited = {"Guarded"} ^ {name.removeprefix("visit_") for name in vars(_vetter.Vetter) if name.startswith("visit_")}
        self.assertEqual(classes - ABSENT, visited)

    def test_every_builtin_is_classified(self) -> None:
        metadata = {"__doc__", "__loader__", "__name__", "__package__", "__spec__", "_", "_IncompleteInputError"}
        known = _rules.BUILTINS | _rules.GUARDED_BUILTINS | _rules.DENIED_BUILTINS
        self.assertEqual(set(vars(builtins)) - metadata - known, set())
        self.assertEqual(known & metadata, set())

    def test_every_attribute_of_the_interpreter_is_refused(self) -> None:
        async def coroutine() -> None: ...

        async def generator() -> object:
            yield

        kinds = (types.FrameType, types.CodeType, types.TracebackType, types.GeneratorType)
        names = {name for kind in (*kinds, types.CoroutineType, types.AsyncGeneratorType) for name in dir(kind)}
        inner = {name for name in names if name.startswith(("f_", "tb_", "co_", "gi_", "cr_", "ag_"))}
        self.assertGreater(len(inner), 40)
        allowed = {name for name in inner if _rules.attribute_refusal(name, RULES) is None}
        self.assertEqual(allowed, {"tb_lineno"})  # a number, and nothing behind it

    def test_the_floor_stands_whatever_the_policy_lists(self) -> None:
        for name in _floor.IMPORT_STAND_INS:
            self.assertTrue(_floor.import_is_floor(f"{name}.x"), name)
        for name in sorted(_floor.DENIED_IMPORTS - _floor.IMPORT_STAND_INS - _floor.IMPORT_EXCEPTIONS):
            with self.subTest(name):
                rules = _rules.Rules(frozenset((name, f"{name}.x")), frozenset(), frozenset())
                self.assertTrue(findings(f"import {name}", rules))
                self.assertTrue(findings(f"from {name} import x", rules))
