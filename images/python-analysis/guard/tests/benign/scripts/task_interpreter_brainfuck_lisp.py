import operator as op
import sys
from functools import reduce

sys.setrecursionlimit(5000)


def brainfuck(src, data=""):
    tape, ptr, pc, out, inp = [0] * 100, 0, 0, [], iter(data)
    jumps, stack = {}, []
    for i, c in enumerate(src):
        if c == "[": stack.append(i)
        elif c == "]":
            j = stack.pop(); jumps[i], jumps[j] = j, i
    while pc < len(src):
        match src[pc]:
            case ">": ptr += 1
            case "<": ptr -= 1
            case "+": tape[ptr] = (tape[ptr] + 1) % 256
            case "-": tape[ptr] = (tape[ptr] - 1) % 256
            case ".": out.append(chr(tape[ptr]))
            case ",": tape[ptr] = ord(next(inp, "\0"))
            case "[" if not tape[ptr]: pc = jumps[pc]
            case "]" if tape[ptr]: pc = jumps[pc]
        pc += 1
    return "".join(out)


class Env(dict):
    def __init__(self, names=(), values=(), outer=None):
        super().__init__(zip(names, values))
        self.outer = outer
    def find(self, name):
        if name in self: return self
        if self.outer is None: raise NameError(name)
        return self.outer.find(name)


ENV = Env()
ENV.update({"+": lambda *a: sum(a), "*": lambda *a: reduce(op.mul, a, 1), "-": op.sub, "<": op.lt, "=": op.eq, "list": lambda *a: list(a), "car": lambda l: l[0], "cdr": lambda l: l[1:]})


def tokens(s): return s.replace("(", " ( ").replace(")", " ) ").split()
def read(ts):
    t = ts.pop(0)
    if t == "(":
        out = []
        while ts[0] != ")": out.append(read(ts))
        ts.pop(0)
        return out
    try: return int(t)
    except ValueError: return t
def ev(x, env=ENV):
    if isinstance(x, str): return env.find(x)[x]
    if not isinstance(x, list): return x
    match x:
        case ["if", c, a, b]: return ev(a if ev(c, env) else b, env)
        case ["define", str(n), e]: env[n] = ev(e, env)
        case ["lambda", ps, body]: return lambda *args: ev(body, Env(ps, args, env))
        case [f, *args]: return ev(f, env)(*(ev(a, env) for a in args))


print(brainfuck("++++++++[>++++++++<-]>+.+.+."), brainfuck(",.,.", "hi"))
ev(read(tokens("(define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1))))))")))
print(ev(read(tokens("(fact 20)"))), ev(read(tokens("(car (cdr (list 1 2 3)))"))))
try: ev(read(tokens("(undefined 1)")))
except NameError as e: print("unbound", e)
