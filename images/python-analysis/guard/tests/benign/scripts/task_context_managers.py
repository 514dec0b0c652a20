import contextlib
import io
import os
import time


class Timer:
    def __init__(self, label):
        self.label = label

    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, exc_type, exc, tb):
        self.elapsed = time.perf_counter() - self.start
        print(f"{self.label}: {'failed' if exc_type else 'ok'}, measured {self.elapsed >= 0}")
        return exc_type is ZeroDivisionError


@contextlib.contextmanager
def tag(name):
    print(f"<{name}>")
    try:
        yield name.upper()
    finally:
        print(f"</{name}>")


@contextlib.contextmanager
def temporary_value(obj, key, value):
    old = obj.get(key)
    obj[key] = value
    yield
    obj[key] = old


with Timer("good") as t, tag("p") as upper:
    print("inside", upper)
with Timer("swallows"):
    1 / 0
config = {"debug": False}
with temporary_value(config, "debug", True):
    print("within:", config)
print("after:", config)
buf = io.StringIO()
with contextlib.redirect_stdout(buf):
    print("captured text")
print("got:", buf.getvalue().strip().upper())
with contextlib.suppress(FileNotFoundError, KeyError):
    os.remove("does_not_exist.tmp")
with contextlib.ExitStack() as stack:
    files = [stack.enter_context(open(f"part{i}.txt", "w")) for i in range(3)]
    for i, f in enumerate(files):
        f.write(f"part {i}\n")
    stack.callback(print, "stack closed")
print([f.closed for f in files], open("part1.txt").read().strip())
with contextlib.nullcontext(5) as five:
    print(five)
