"""``ast`` as a script has it: trees of its own, which nothing compiles and the guard does not use."""

from __future__ import annotations

import unittest
from typing import Any

from tests.host import Host

SOURCE = '''\
import os


class A:
    """Doc."""

    def f(self, x: int=1, *a, **k) -> int:
        return [y for y in x if y > 2] + f'{x!r:>3}'


x = {1: 2, 'a': (1, -2.5, None, ...)}
'''

WORK = {
    "a tree and its source": (
        f"t = ast.parse({SOURCE!r})\n"
        "result = [ast.unparse(ast.parse(ast.unparse(t))) == ast.unparse(t), type(t).__name__, ast.get_docstring(t.body[1]),\n"
        f"          ast.get_source_segment({SOURCE!r}, t.body[2].targets[0]), t.body[0]._fields, len(list(ast.walk(t))) > 50]",
        [True, "Module", "Doc.", "x", ["names"], True],
    ),
    "a visitor": (
        "class V(ast.NodeVisitor):\n    def __init__(self): self.seen = []\n"
        "    def visit_Call(self, node):\n        self.seen.append((node.func.id, node.lineno))\n        self.generic_visit(node)\n"
        "    def visit_Name(self, node): self.seen.append(type(node.ctx).__name__)\n"
        "v = V()\nv.visit(ast.parse('x = f(g(1))'))\nresult = v.seen",
        ["Store", ["f", 1], "Load", ["g", 1], "Load"],
    ),
    "a transformer": (
        "class T(ast.NodeTransformer):\n"
        "    def visit_Constant(self, n): return ast.copy_location(ast.Constant(n.value + 1), n)\n"
        "    def visit_Import(self, n): return None\n"
        "    def visit_Expr(self, n): return [self.generic_visit(n), ast.Pass()]\n"
        "    def visit_UnaryOp(self, n): return self.visit(n.operand)\n"
        "    def visit_Return(self, n):\n        n.value = None\n        return n\n"
        "    def visit_Starred(self, n): return None\n"
        "t = T().visit(ast.parse('import a\\n1\\n-2\\ndef f(): return 1\\n'))\n"
        "result = [ast.unparse(ast.fix_missing_locations(t)), [n.lineno for n in t.body]]",
        ["2\npass\n3\npass\n\ndef f():\n    return", [2, 1, 3, 1, 4]],
    ),
    "a field that a transformer takes away": (
        "class T(ast.NodeTransformer):\n    def visit_Name(self, n): return None\n"
        "t = T().visit(ast.parse('return a', mode='exec'))\nresult = ast.dump(t)",
        "Module(body=[Return()])",
    ),
    "evaluation by hand": (
        "ops = {ast.Add: lambda a, b: a + b, ast.Mult: lambda a, b: a * b}\n"
        "def ev(n):\n    match n:\n        case ast.Expression(body): return ev(body)\n        case ast.Constant(value=v): return v\n"
        "        case ast.BinOp(l, op, r): return ops[type(op)](ev(l), ev(r))\n    raise ValueError(ast.dump(n))\n"
        "def no():\n    try: ev(ast.parse('f()', mode='eval'))\n    except ValueError as e: return str(e)\n"
        "result = [ev(ast.parse('1 + 2 * 3', mode='eval')), no()]",
        [7, "Call(func=Name(id='f', ctx=Load()))"],
    ),
    "nodes made by hand": (
        "f = ast.FunctionDef('f', ast.arguments(), [ast.Pass(lineno=3)])\n"
        "class Mine(ast.Name): pass\nclass Base(ast.AST): _fields = ('a',)\n"
        "ast.increment_lineno(ast.fix_missing_locations(f), 2)\n"
        "e = ast.parse('a', mode='eval')\nast.increment_lineno(e, 1)\n"
        "result = [ast.unparse(f), f.lineno, f.body[0].lineno, ast.unparse(Mine('m')), Base(1).a, Base(a=2).a, ast.dump(ast.Constant((1, 'a'))),\n"
        "          ast.dump(f, indent=1, annotate_fields=False), e.body.lineno, e.body.end_lineno, ast.Name('a').ctx if hasattr(ast.Name('a'), 'ctx') else 0,\n"
        "          ast.unparse([ast.Pass(), ast.Pass()]), ast.dump(ast.Pass(lineno=1), include_attributes=True, indent='  ', show_empty=True)]",
        [
            *("def f():\n    pass", 3, 5, "m", 1, 2, "Constant(value=(1, 'a'))"),
            "FunctionDef(\n 'f',\n arguments(),\n [\n  Pass()])", 2, 2, 0, "pass\npass", "Pass(lineno=1)",
        ],
    ),  # fmt: skip
    "literals": (
        "said = []\nfor t in ('f()', '[1, x]', '1 +'):\n    try: said.append(ast.literal_eval(t))\n"
        "    except (ValueError, SyntaxError) as e: said.append(type(e).__name__)\n"
        "result = [said, ast.literal_eval(ast.parse('{1: -2}', mode='eval')), ast.literal_eval(' [1]')]",
        [["ValueError", "ValueError", "SyntaxError"], {"1": -2}, [1]],
    ),
    "other ways to parse": (
        "import copy\nt = ast.parse('x: int = 1 # type: ignore\\n', 'a.py', 'exec', type_comments=True, feature_version=(3, 10))\n"
        "u = copy.deepcopy(t)\nresult = [len(t.type_ignores), ast.unparse(u), u.body[0] is t.body[0], ast.dump(ast.parse(b'(int) -> str', mode='func_type'))]",
        [1, "x: int = 1", False, "FunctionType(argtypes=[Name(id='int', ctx=Load())], returns=Name(id='str', ctx=Load()))"],
    ),
}

REFUSED = {
    "a class's name reads nothing else": (
        "class S(str):\n    def __radd__(self, o): return 'refused'\nclass V(ast.NodeVisitor):\n    refused = None\n"
        "N = type(S('N'), (ast.AST,), {})\nV().visit(N())\nraise ValueError('generic')",
        "ValueError: generic",
    ),
    "nor of what is no node": ("ast.NodeVisitor.visit(ast.NodeVisitor(), 1)", "expected AST, got 'int'"),
    "fields are public names": ("class E(ast.AST): _fields = ('__globals__',)\nlist(ast.iter_fields(E()))", "cannot be a field's name"),
    "also those that a node is made with": ("ast.Name(**{'__class__': ast.Load})", "'__class__' cannot be a field's name here"),
    "and no frame's": ("ast.Name(**{'gi_' + 'frame': 1})", "'gi_frame' cannot be a field's name here"),
    "more values than fields": ("ast.Name(1, 2, 3)", "at most 2 positional"),
    "a field twice": ("ast.Name('a', id='b')", "multiple values"),
    "places are copied between nodes": ("ast.copy_location(ast.Name, ast.Name())", "expected AST, got 'type'"),
    "a node's class cannot be changed": ("ast.Name.lineno = 1", "of a library's class cannot be set"),
    "objects are no constants": (
        "class O:\n    def __repr__(self): return 'os'\nn = ast.Constant(O())\nast.unparse(n)",
        "and not objects of class 'O'",
    ),
    "a list is no node": ("ast.dump([1])", "expected AST, got 'list'"),
    "nor is it below one": ("ast.unparse([1])", "expected AST, got 'int'"),
    "a file's text is not read": ("ast.parse(open)", "memoryview"),
    "modes are Python's": ("ast.parse('a', mode='x')", "mode must be"),
    "a tree is no code": ("import pandas\npandas.eval(ast.parse('1', mode='eval'))", "may not be evaluated"),
    "a tree that holds itself": ("t = ast.Module([])\nt.body.append(t)\nast.unparse(t)", "RecursionError"),
}


class Trees(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def run_script(self, code: str) -> Any:
        return self.host.run(f"import ast\n{code}", imports=["ast", "copy", "pandas"])

    def test_they_work(self) -> None:
        for name, (code, expected) in WORK.items():
            with self.subTest(name):
                run = self.run_script(code)
                self.assertEqual((run.report["result"], run.error), (expected, ""), run.report)

    def test_what_is_refused(self) -> None:
        for name, (code, words) in REFUSED.items():
            with self.subTest(name):
                run = self.run_script(code)
                self.assertEqual(run.outcome, "raised", run.report)
                self.assertIn(words, run.error)

    def test_every_node_class_is_there(self) -> None:
        import _ast

        run = self.run_script("[n for n in dir(ast) if isinstance(getattr(ast, n), type) and issubclass(getattr(ast, n), ast.AST)]")
        names = {name for name, kind in vars(_ast).items() if isinstance(kind, type) and issubclass(kind, _ast.AST)}
        self.assertEqual(set(run.report["result"]), names - {"FunctionType"})  # no attribute may have that name

    def test_nothing_of_a_tree_is_there_in_the_next(self) -> None:
        code = "ast.parse('a').body[0].value.ctx.kept = 1\nresult = hasattr(ast.parse('b').body[0].value.ctx, 'kept')"
        self.assertIs(self.run_script(code).report["result"], False)
