import math
import operator
import re

TOKEN = re.compile(r"\s*(?:(?P<num>\d+\.?\d*)|(?P<name>[a-z]+)|(?P<op>[-+*/^(),]))")
OPS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": operator.pow}
FUNCS = {"sqrt": math.sqrt, "sin": math.sin, "max": max}
CONSTS = {"pi": math.pi, "e": math.e}


class Parser:
    def __init__(self, text):
        self.tokens = [(m.lastgroup, m.group(m.lastgroup)) for m in TOKEN.finditer(text)] + [("end", "")]
        self.pos = 0

    def peek(self):
        return self.tokens[self.pos][1]

    def take(self, expected=None):
        kind, value = self.tokens[self.pos]
        if expected is not None and value != expected:
            raise SyntaxError(f"expected {expected!r}, got {value!r}")
        self.pos += 1
        return kind, value

    def expr(self):
        value = self.term()
        while self.peek() in ("+", "-"):
            value = OPS[self.take()[1]](value, self.term())
        return value

    def term(self):
        value = self.power()
        while self.peek() in ("*", "/"):
            value = OPS[self.take()[1]](value, self.power())
        return value

    def power(self):
        base = self.unary()
        if self.peek() == "^":
            self.take()
            return base ** self.power()
        return base

    def unary(self):
        if self.peek() == "-":
            self.take()
            return -self.unary()
        return self.atom()

    def atom(self):
        kind, value = self.take()
        if kind == "num":
            return float(value)
        if kind == "name" and self.peek() == "(":
            self.take("(")
            args = [self.expr()]
            while self.peek() == ",":
                self.take(",")
                args.append(self.expr())
            self.take(")")
            return FUNCS[value](*args)
        if kind == "name":
            return CONSTS[value]
        if value == "(":
            inner = self.expr()
            self.take(")")
            return inner
        raise SyntaxError(f"unexpected {value!r}")


for text in ("1 + 2 * 3", "2 ^ 3 ^ 2", "-(4 - 6) / 0.5", "sqrt(16) + max(1, 7, 3)", "2 * pi", "(1 + 2", "1 / 0"):
    try:
        print(f"{text:<26} = {Parser(text).expr():g}")
    except (SyntaxError, ZeroDivisionError, KeyError) as e:
        print(f"{text:<26} ! {type(e).__name__}: {e}")
