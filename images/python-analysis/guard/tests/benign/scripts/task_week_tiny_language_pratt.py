import re
from enum import Enum
from typing import NamedTuple, Callable, Any, Union
class Tok(Enum):
    NUM = r"\d+(?:\.\d+)?"
    NAME = r"[A-Za-z_]\w*"
    OP = r"[-+*/^()=,]"
    SKIP = r"\s+"
    BAD = r"."
class Token(NamedTuple):
    kind: Tok
    text: str
    col: int
MASTER = re.compile("|".join(f"(?P<{t.name}>{t.value})" for t in Tok))
def lex(src):
    for m in MASTER.finditer(src):
        kind = Tok[m.lastgroup]
        if kind is Tok.SKIP: continue
        if kind is Tok.BAD: raise SyntaxError(f"unexpected {m.group()!r} at {m.start()}")
        yield Token(kind, m.group(), m.start())
Value = Union[int, float]
class Calc:
    BIN: dict[str, tuple[int, Callable[[Value, Value], Value]]] = {
        "+": (1, lambda a, b: a + b), "-": (1, lambda a, b: a - b), "*": (2, lambda a, b: a * b), "/": (2, lambda a, b: a / b), "^": (3, pow)}
    def __init__(self):
        self.vars: dict[str, Any] = {"pi": 3.14159, "max": max, "abs": abs}
    def run(self, src):
        self.toks, self.i = [*lex(src)], 0
        if len(self.toks) > 2 and self.toks[1].text == "=":
            name = self.toks[0].text; self.i = 2
            self.vars[name] = v = self.expr(0)
        else:
            v = self.expr(0)
        if self.i != len(self.toks): raise SyntaxError(f"left over: {self.toks[self.i].text}")
        return v
    def peek(self): return self.toks[self.i].text if self.i < len(self.toks) else None
    def take(self): self.i += 1; return self.toks[self.i - 1]
    def expr(self, floor):
        left = self.atom()
        while (op := self.peek()) in self.BIN and self.BIN[op][0] > floor:
            self.take()
            prec, fn = self.BIN[op]
            left = fn(left, self.expr(prec - (op == "^")))
        return left
    def atom(self):
        match self.take():
            case Token(Tok.NUM, text): return float(text) if "." in text else int(text)
            case Token(Tok.OP, "-"): return -self.expr(2)
            case Token(Tok.OP, "("):
                v = self.expr(0); assert self.take().text == ")", "missing )"; return v
            case Token(kind=Tok.NAME, text=name) if self.peek() == "(":
                self.take(); args = [self.expr(0)]
                while self.peek() == ",": self.take(); args.append(self.expr(0))
                self.take(); return self.vars[name](*args)
            case Token(Tok.NAME, name): return self.vars[name]
            case other: raise SyntaxError(f"cannot start with {other.text}")
c = Calc()
for line in ["2+3*4", "(2+3)*4", "2^3^2", "x = 7/2", "x*2 - -1", "max(1, x, abs(-9))", "y + 1", "4 $ 4", "1/0", "(1", "3 3"]:
    try: print(f"{line:<22}{c.run(line)}")
    except (SyntaxError, KeyError, ZeroDivisionError, AssertionError, IndexError) as e: print(f"{line:<22}{type(e).__name__}: {e}")
