from enum import Enum, auto


class Op(Enum):
    PUSH = auto()
    ADD = auto()
    MUL = auto()
    SUB = auto()
    DUP = auto()
    JNZ = auto()
    STORE = auto()
    LOAD = auto()
    PRINT = auto()
    HALT = auto()


class VM:
    def __init__(self, program):
        self.program, self.stack, self.vars, self.pc, self.out = program, [], {}, 0, []

    def run(self, limit=1000):
        steps = 0
        while steps < limit:
            op, *args = self.program[self.pc]
            self.pc += 1
            steps += 1
            handler = getattr(self, f"do_{op.name.lower()}")
            if handler(*args) == "halt":
                return steps
        raise RuntimeError("step limit reached")

    def do_push(self, v): self.stack.append(v)
    def do_add(self): self.stack.append(self.stack.pop() + self.stack.pop())
    def do_mul(self): self.stack.append(self.stack.pop() * self.stack.pop())
    def do_dup(self): self.stack.append(self.stack[-1])
    def do_store(self, name): self.vars[name] = self.stack.pop()
    def do_load(self, name): self.stack.append(self.vars[name])
    def do_print(self): self.out.append(str(self.stack.pop()))
    def do_halt(self): return "halt"

    def do_sub(self):
        b, a = self.stack.pop(), self.stack.pop()
        self.stack.append(a - b)

    def do_jnz(self, target):
        if self.stack.pop():
            self.pc = target


factorial = [
    (Op.PUSH, 6), (Op.STORE, "n"), (Op.PUSH, 1), (Op.STORE, "acc"),
    (Op.LOAD, "acc"), (Op.LOAD, "n"), (Op.MUL,), (Op.STORE, "acc"),
    (Op.LOAD, "n"), (Op.PUSH, 1), (Op.SUB,), (Op.DUP,), (Op.STORE, "n"), (Op.JNZ, 4),
    (Op.LOAD, "acc"), (Op.PRINT,), (Op.HALT,),
]
vm = VM(factorial)
print(vm.run(), "steps, output", vm.out, vm.vars)
try:
    VM([(Op.PUSH, 1), (Op.JNZ, 0)]).run()
except RuntimeError as e:
    print(e)


def brainf(code, cells=30):
    tape, p, i, out, stack, jump = [0] * cells, 0, 0, "", [], {}
    for k, ch in enumerate(code):
        if ch == "[":
            stack.append(k)
        elif ch == "]":
            jump[k] = stack.pop()
            jump[jump[k]] = k
    while i < len(code):
        ch = code[i]
        if ch in "+-":
            tape[p] = (tape[p] + (1 if ch == "+" else -1)) % 256
        elif ch in "<>":
            p += 1 if ch == ">" else -1
        elif ch == ".":
            out += chr(tape[p])
        elif (ch == "[" and not tape[p]) or (ch == "]" and tape[p]):
            i = jump[i]
        i += 1
    return out


print(brainf("++++++++[>+++++++++<-]>.+++++++++++++++++++++++++++++.+++++++..+++."))
