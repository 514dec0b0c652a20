import ast
import math
import operator
from typing import Any

OPS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow, ast.USub: operator.neg, ast.Mod: operator.mod}
FUNCS = {n: getattr(math, n) for n in ("sin", "cos", "exp", "log", "sqrt")}


class Evaluator(ast.NodeVisitor):
    def __init__(self, **names):
        self.names = names

    def visit_Expression(self, node):
        return self.visit(node.body)

    def visit_BinOp(self, node):
        return OPS[type(node.op)](self.visit(node.left), self.visit(node.right))

    def visit_UnaryOp(self, node):
        return OPS[type(node.op)](self.visit(node.operand))

    def visit_Constant(self, node):
        return node.value

    def visit_Name(self, node):
        try:
            return self.names[node.id]
        except KeyError:
            raise NameError(f"name {node.id!r} is not defined") from None

    def visit_Call(self, node):
        return FUNCS[node.func.id](*map(self.visit, node.args))

    def generic_visit(self, node):
        raise ValueError(f"not allowed: {type(node).__name__}")


def evaluate(text: str, **names: Any):
    return Evaluator(**names).visit(ast.parse(text, mode="eval"))


def newton(text, x0, tol=1e-10):
    x = x0
    for i in range(100):
        fx = evaluate(text, x=x)
        if abs(fx) < tol:
            return x, i
        slope = (evaluate(text, x=x + 1e-6) - evaluate(text, x=x - 1e-6)) / 2e-6
        x -= fx / slope
    raise ArithmeticError("no root found")


def bisect(f, a, b):
    fa, fb = f(a), f(b)
    if fa * fb > 0:
        raise ValueError("same sign at both ends")
    while b - a > 1e-12:
        m = (a + b) / 2
        if fa * f(m) <= 0:
            b = m
        else:
            a, fa = m, f(m)
    return (a + b) / 2


print(evaluate("2 * (3 + 4) ** 2 - -1"), evaluate("sqrt(x ** 2 + y ** 2)", x=3, y=4))
print(round(newton("x ** 3 - 2 * x - 5", 2.0)[0], 8), round(bisect(lambda x: math.cos(x) - x, 0, 1), 8))
for bad in ("__import__('os')", "[1, 2]", "z + 1", "1 +", "x.real"):
    try:
        print(evaluate(bad, x=1))
    except (ValueError, NameError, SyntaxError, KeyError) as e:
        print(type(e).__name__)
print(ast.literal_eval("{'a': [1, 2.5, None]}"), ast.dump(ast.parse("a + 1", mode="eval").body)[:30], ast.unparse(ast.parse("x=1+2")))
print([n.id for n in ast.walk(ast.parse("a + b * c")) if isinstance(n, ast.Name)])
