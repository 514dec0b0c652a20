import sys, time, io, itertools, shutil, os
def progress(seq, width=20, out=sys.stdout):
    n = len(seq)
    for i, x in enumerate(seq, 1):
        yield x
        done = int(width * i / n); out.write(f"\r[{'#' * done}{'.' * (width - done)}] {i}/{n}"); out.flush()
    out.write("\n")
print(sum(progress(range(5))))
class Tee:
    def __init__(self, *streams): self.streams = streams
    def write(self, s): [st.write(s) for st in self.streams]; return len(s)
    def flush(self): [st.flush() for st in self.streams]
log = io.StringIO(); old, sys.stdout = sys.stdout, Tee(sys.stdout, log)
try: print("both"); sys.stdout.write("raw\n")
finally: sys.stdout = old
print(repr(log.getvalue()), sys.stdout is sys.__stdout__)
print("to stderr", file=sys.stderr); print("a", "b", sep="|", end="!\n", flush=True); print(*range(3), sep=", ")
sys.stdin = io.StringIO("7\nIda\n\nlast"); n = int(input("n? ")); print(n, input(), [line.strip() for line in sys.stdin])
cols = shutil.get_terminal_size((66, 20)).columns; print("=" * min(cols, 10), os.get_terminal_size().columns if False else "")
for name, frame in zip(("spin",), itertools.cycle("|/-\\")): print(name, frame)
sys.stdout.writelines(["x\n", "y\n"]); print(sys.stdout.encoding.lower(), sys.stdout.writable(), "é☃")
def hook(kind, value, tb): print("HOOK", kind.__name__, value)
sys.excepthook = hook
print("%s has %d items costing %.2f" % ("Cart", 3, 9.5), "{0!r:>8}|{name:^7}|{1:+}".format("a", 5, name="mid"), f"{3.14159:.3e} {1_000_000:_} {0.256:.1%} {'x':-^5} {[1, 2]!s:>8} {42=}")
