"""A tiny stack language: tokenizer, compiler to byte codes, and a virtual machine."""
import enum
import operator
import re
from typing import Callable, Iterator, NamedTuple


class Token(NamedTuple):
    kind: str
    value: str
    column: int


TOKEN_SPEC = [("NUMBER", r"\d+(?:\.\d+)?"), ("ID", r"[A-Za-z_]\w*"), ("OP", r"[-+*/^()=]"), ("SKIP", r"\s+"), ("BAD", r".")]
MASTER = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in TOKEN_SPEC))


def tokenize(text: str) -> Iterator[Token]:
    for m in MASTER.finditer(text):
        kind = m.lastgroup
        if kind == "SKIP":
            continue
        if kind == "BAD":
            raise SyntaxError(f"unexpected {m.group()!r} at column {m.start()}")
        yield Token(kind, m.group(), m.start())


class Op(enum.IntEnum):
    PUSH = 0
    LOAD = 1
    STORE = 2
    BINARY = 3
    NEGATE = 4


BINARY: dict[str, tuple[int, Callable]] = {"+": (1, operator.add), "-": (1, operator.sub), "*": (2, operator.mul), "/": (2, operator.truediv), "^": (3, operator.pow)}


class Compiler:
    def __init__(self, text):
        self.tokens = [*tokenize(text), Token("END", "", len(text))]
        self.pos = 0
        self.code = []

    @property
    def current(self):
        return self.tokens[self.pos]

    def advance(self):
        token = self.current
        self.pos += 1
        return token

    def expect(self, value):
        if self.current.value != value:
            raise SyntaxError(f"expected {value!r}, found {self.current.value!r}")
        return self.advance()

    def compile(self):
        if self.current.kind == "ID" and self.tokens[self.pos + 1].value == "=":
            name = self.advance().value
            self.advance()
            self.expression(0)
            self.code.append((Op.STORE, name))
        else:
            self.expression(0)
        if self.current.kind != "END":
            raise SyntaxError(f"junk at column {self.current.column}")
        return self.code

    def expression(self, min_prec):
        token = self.advance()
        match token:
            case Token("NUMBER", value):
                self.code.append((Op.PUSH, float(value)))
            case Token("ID", value):
                self.code.append((Op.LOAD, value))
            case Token("OP", "("):
                self.expression(0)
                self.expect(")")
            case Token("OP", "-"):
                self.expression(2)
                self.code.append((Op.NEGATE, None))
            case _:
                raise SyntaxError(f"unexpected {token.value or 'end'!r}")
        while (op := self.current.value) in BINARY and BINARY[op][0] > min_prec:
            self.advance()
            self.expression(BINARY[op][0] - (op == "^"))
            self.code.append((Op.BINARY, op))


def run(code, env):
    stack = []
    for op, arg in code:
        if op is Op.PUSH:
            stack.append(arg)
        elif op is Op.LOAD:
            stack.append(env[arg])
        elif op is Op.STORE:
            env[arg] = stack[-1]
        elif op is Op.NEGATE:
            stack.append(-stack.pop())
        else:
            b, a = stack.pop(), stack.pop()
            stack.append(BINARY[arg][1](a, b))
    return stack.pop()


env = {"pi": 3.14159}
for source in ["x = 3", "2 + x * 4", "2 ^ 3 ^ 2", "-(x - 5) / 2", "area = pi * x ^ 2", "y + 1", "3 +", "2 $ 3", "1 / 0", "(1 + 2"]:
    try:
        print(f"{source:<18} -> {run(Compiler(source).compile(), env):g}")
    except (SyntaxError, KeyError, ZeroDivisionError) as e:
        print(f"{source:<18} -> {type(e).__name__}: {e}")
print([f"{op.name}{'' if a is None else ' ' + str(a)}" for op, a in Compiler("a = 1 + 2 * b").compile()])
