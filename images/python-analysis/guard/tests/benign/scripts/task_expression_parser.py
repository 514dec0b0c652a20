"""Recursive descent parser and evaluator for arithmetic expressions."""
import math
import operator
import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Iterator, NamedTuple, Union


class Kind(Enum):
    NUMBER = auto()
    NAME = auto()
    OP = auto()
    LPAREN = auto()
    RPAREN = auto()
    COMMA = auto()
    END = auto()


class Token(NamedTuple):
    kind: Kind
    text: str
    pos: int


SPEC = [
    (Kind.NUMBER, r"\d+(\.\d+)?"),
    (Kind.NAME, r"[A-Za-z_]\w*"),
    (Kind.OP, r"\*\*|[+\-*/%^]"),
    (Kind.LPAREN, r"\("),
    (Kind.RPAREN, r"\)"),
    (Kind.COMMA, r","),
]
PATTERN = re.compile("|".join(f"(?P<{k.name}>{p})" for k, p in SPEC) + r"|(?P<WS>\s+)|(?P<BAD>.)")


def tokenize(text: str) -> Iterator[Token]:
    for m in PATTERN.finditer(text):
        kind = m.lastgroup
        if kind == "WS":
            continue
        if kind == "BAD":
            raise SyntaxError(f"unexpected {m.group()!r} at {m.start()}")
        yield Token(Kind[kind], m.group(), m.start())
    yield Token(Kind.END, "", len(text))


@dataclass
class Num:
    value: float


@dataclass
class Var:
    name: str


@dataclass
class Bin:
    op: str
    left: "Node"
    right: "Node"


@dataclass
class Call:
    name: str
    args: list


Node = Union[Num, Var, Bin, Call]
OPS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "%": operator.mod, "**": operator.pow}
PREC = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "**": 3}


class Parser:
    def __init__(self, text):
        self.tokens = list(tokenize(text))
        self.i = 0

    @property
    def current(self):
        return self.tokens[self.i]

    def eat(self, kind):
        tok = self.current
        if tok.kind is not kind:
            raise SyntaxError(f"expected {kind.name}, got {tok.text!r}")
        self.i += 1
        return tok

    def parse(self):
        node = self.expr(0)
        self.eat(Kind.END)
        return node

    def expr(self, min_prec):
        left = self.atom()
        while self.current.kind is Kind.OP and PREC[self.current.text] >= min_prec:
            op = self.eat(Kind.OP).text
            right = self.expr(PREC[op] + (op != "**"))
            left = Bin(op, left, right)
        return left

    def atom(self):
        match self.current:
            case Token(Kind.NUMBER, text):
                self.i += 1
                return Num(float(text))
            case Token(Kind.NAME, text):
                self.i += 1
                if self.current.kind is Kind.LPAREN:
                    self.eat(Kind.LPAREN)
                    args = []
                    while self.current.kind is not Kind.RPAREN:
                        args.append(self.expr(0))
                        if self.current.kind is Kind.COMMA:
                            self.eat(Kind.COMMA)
                    self.eat(Kind.RPAREN)
                    return Call(text, args)
                return Var(text)
            case Token(Kind.OP, "-"):
                self.i += 1
                return Bin("-", Num(0), self.expr(2))
            case Token(Kind.LPAREN):
                self.eat(Kind.LPAREN)
                node = self.expr(0)
                self.eat(Kind.RPAREN)
                return node
            case tok:
                raise SyntaxError(f"unexpected {tok.text or 'end'!r}")


def evaluate(node, env):
    match node:
        case Num(value):
            return value
        case Var(name=name):
            return env[name]
        case Bin(op=op, left=l, right=r):
            return OPS[op](evaluate(l, env), evaluate(r, env))
        case Call(name, args):
            return getattr(math, name)(*(evaluate(a, env) for a in args))


for source in ["1 + 2 * 3", "2 ** 3 ** 2", "-(4 - x) % 3", "sqrt(16) + max_(1)", "hypot(3, 4)", "1 +", "3 $ 4", "y"]:
    try:
        print(f"{source:18} = {evaluate(Parser(source).parse(), {'x': 10, 'pi': math.pi})}")
    except (SyntaxError, AttributeError, KeyError) as error:
        print(f"{source:18} ! {type(error).__name__}")
