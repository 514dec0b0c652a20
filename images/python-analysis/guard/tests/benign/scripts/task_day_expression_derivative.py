from __future__ import annotations
from dataclasses import dataclass
import math


class Expr:
    def __add__(self, o): return Add(self, wrap(o))
    def __radd__(self, o): return Add(wrap(o), self)
    def __mul__(self, o): return Mul(self, wrap(o))
    def __rmul__(self, o): return Mul(wrap(o), self)
    def __sub__(self, o): return Add(self, Mul(Const(-1), wrap(o)))
    def __pow__(self, n): return Pow(self, n)
    def __neg__(self): return Mul(Const(-1), self)


def wrap(value) -> Expr:
    return value if isinstance(value, Expr) else Const(value)


@dataclass(frozen=True)
class Const(Expr):
    value: float
    def __str__(self): return f"{self.value:g}"


@dataclass(frozen=True)
class Var(Expr):
    name: str
    def __str__(self): return self.name


@dataclass(frozen=True)
class Add(Expr):
    left: Expr
    right: Expr
    def __str__(self): return f"({self.left} + {self.right})"


@dataclass(frozen=True)
class Mul(Expr):
    left: Expr
    right: Expr
    def __str__(self): return f"{self.left}*{self.right}"


@dataclass(frozen=True)
class Pow(Expr):
    base: Expr
    exponent: int
    def __str__(self): return f"{self.base}^{self.exponent}"


@dataclass(frozen=True)
class Call(Expr):
    name: str
    arg: Expr
    def __str__(self): return f"{self.name}({self.arg})"


def diff(e: Expr, x: Var) -> Expr:
    match e:
        case Const():
            return Const(0)
        case Var(name):
            return Const(int(name == x.name))
        case Add(a, b):
            return Add(diff(a, x), diff(b, x))
        case Mul(a, b):
            return Add(Mul(diff(a, x), b), Mul(a, diff(b, x)))
        case Pow(base, n):
            return Mul(Mul(Const(n), Pow(base, n - 1)), diff(base, x))
        case Call("sin", a):
            return Mul(Call("cos", a), diff(a, x))
        case Call("exp", a):
            return Mul(e, diff(a, x))
    raise NotImplementedError(type(e).__name__)


def simplify(e: Expr) -> Expr:
    match e:
        case Add(a, b):
            match simplify(a), simplify(b):
                case Const(p), Const(q):
                    return Const(p + q)
                case (Const(0), r) | (r, Const(0)):
                    return r
                case l, r:
                    return Add(l, r)
        case Mul(a, b):
            match simplify(a), simplify(b):
                case Const(p), Const(q):
                    return Const(p * q)
                case (Const(0), _) | (_, Const(0)):
                    return Const(0)
                case (Const(1), r) | (r, Const(1)):
                    return r
                case l, r:
                    return Mul(l, r)
        case Pow(b, 1):
            return simplify(b)
        case Call(n, a):
            return Call(n, simplify(a))
        case _:
            return e


def evaluate(e, **env):
    match e:
        case Const(v):
            return v
        case Var(n):
            return env[n]
        case Add(a, b):
            return evaluate(a, **env) + evaluate(b, **env)
        case Mul(a, b):
            return evaluate(a, **env) * evaluate(b, **env)
        case Pow(b, n):
            return evaluate(b, **env) ** n
        case Call(n, a):
            return getattr(math, n)(evaluate(a, **env))


x, y = Var("x"), Var("y")
for e in (x ** 3 + 2 * x, 3 * x * y, Call("sin", x ** 2), Call("exp", 2 * x) - x, -x + 5):
    d = simplify(diff(e, x))
    h = 1e-6
    numeric = (evaluate(e, x=1.2 + h, y=2) - evaluate(e, x=1.2 - h, y=2)) / (2 * h)
    print(f"d/dx {e} = {d}   check {math.isclose(evaluate(d, x=1.2, y=2), numeric, rel_tol=1e-5)}")
try:
    diff(Call("tan", x), x)
except NotImplementedError as e:
    print("NotImplementedError", e)
