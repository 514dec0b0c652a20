"""A tokenizer, recursive-descent parser, AST and tree-walking interpreter with closures."""
from __future__ import annotations
import re
import operator
import sys
from dataclasses import dataclass
from typing import Iterator, NamedTuple
import math

sys.setrecursionlimit(5000)


class Token(NamedTuple):
    type: str
    value: str
    line: int
    column: int


def tokenize(code: str) -> Iterator[Token]:
    keywords = {"IF", "THEN", "ENDIF", "FOR"}
    spec = [("NUMBER", r"\d+(\.\d*)?"), ("ASSIGN", r":="), ("END", r";"), ("ID", r"[A-Za-z]+"), ("OP", r"[+\-*/]"), ("NEWLINE", r"\n"), ("SKIP", r"[ \t]+"), ("MISMATCH", r".")]
    tok_regex = "|".join("(?P<%s>%s)" % pair for pair in spec)
    line_num, line_start = 1, 0
    for mo in re.finditer(tok_regex, code):
        kind, value, column = mo.lastgroup, mo.group(), mo.start() - line_start
        if kind == "NUMBER":
            value = float(value) if "." in value else int(value)
        elif kind == "ID" and value in keywords:
            kind = value
        elif kind == "NEWLINE":
            line_start, line_num = mo.end(), line_num + 1
            continue
        elif kind == "SKIP":
            continue
        elif kind == "MISMATCH":
            raise RuntimeError(f"{value!r} unexpected on line {line_num}")
        yield Token(kind, value, line_num, column)


for tok in list(tokenize("IF quantity THEN\n total := total + price * 2.5;\nENDIF;"))[:5]:
    print(tok)


class Env(dict):
    def __init__(self, params=(), args=(), outer=None):
        super().__init__()
        self.update(zip(params, args))
        self.outer = outer

    def find(self, var):
        return self if var in self else self.outer.find(var)


class Procedure:
    def __init__(self, params, body, env):
        self.params, self.body, self.env = params, body, env

    def __call__(self, *args):
        return evaluate(self.body, Env(self.params, args, self.env))


def standard_env() -> Env:
    env = Env()
    env.update(vars(math))
    env.update({"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "<": operator.lt, "<=": operator.le, "=": operator.eq, "abs": abs, "begin": lambda *x: x[-1],
                "car": lambda x: x[0], "cdr": lambda x: x[1:], "cons": lambda x, y: [x] + y, "list": lambda *x: list(x), "map": lambda *a: list(map(*a)), "max": max, "not": operator.not_, "null?": lambda x: x == []})
    return env


def read(tokens):
    token = tokens.pop(0)
    if token == "(":
        lst = []
        while tokens[0] != ")":
            lst.append(read(tokens))
        tokens.pop(0)
        return lst
    for kind in (int, float, str):
        try:
            return kind(token)
        except ValueError:
            pass


def parse(program):
    return read(program.replace("(", " ( ").replace(")", " ) ").split())


GLOBAL = standard_env()


def evaluate(x, env=GLOBAL):
    match x:
        case str():
            return env.find(x)[x]
        case int() | float():
            return x
        case ["quote", e]:
            return e
        case ["if", test, conseq, alt]:
            return evaluate(conseq if evaluate(test, env) else alt, env)
        case ["define", str(name), exp]:
            env[name] = evaluate(exp, env)
        case ["lambda", [*params], body]:
            return Procedure(params, body, env)
        case [op, *args]:
            return evaluate(op, env)(*[evaluate(a, env) for a in args])


for src in ("(define fact (lambda (n) (if (<= n 1) 1 (* n (fact (- n 1))))))", "(fact 20)", "(map (lambda (x) (* x x)) (quote (1 2 3)))", "(* pi 2)", "(sqrt 16)"):
    print(evaluate(parse(src)))
