import contextlib
import io
import os
import sys
import time
import tempfile
import warnings
from contextlib import ContextDecorator, ExitStack, closing, contextmanager, nullcontext, redirect_stdout, redirect_stderr, suppress, AbstractContextManager
from pathlib import Path


class Timer(ContextDecorator):
    def __enter__(self):
        self.t = time.perf_counter()
        return self

    def __exit__(self, exc_type, exc, tb):
        self.elapsed = time.perf_counter() - self.t
        if exc_type is not None:
            print("suppressed", exc_type.__name__, exc)
            return True
        return False


@contextmanager
def transaction(log):
    log.append("begin")
    try:
        yield log
    except Exception as e:
        log.append(f"rollback {e!r}")
        raise
    else:
        log.append("commit")
    finally:
        log.append("end")


@contextmanager
def cd(path):
    old = os.getcwd()
    os.chdir(path) if hasattr(os, "chdir") else None
    try:
        yield
    finally:
        os.chdir(old) if hasattr(os, "chdir") else None


@contextmanager
def env(**kw):
    old = {k: os.environ.get(k) for k in kw}
    os.environ.update(kw)
    try:
        yield
    finally:
        for k, v in old.items():
            if v is None:
                os.environ.pop(k, None)
            else:
                os.environ[k] = v


with Timer() as t:
    raise ValueError("x")
print(t.elapsed >= 0)


@Timer()
def f():
    return 5


print(f())
log = []
with suppress(RuntimeError), transaction(log) as l:
    l.append("work")
    raise RuntimeError("boom")
print(log)
buf = io.StringIO()
with redirect_stdout(buf):
    print("hidden")
print(repr(buf.getvalue()))
with ExitStack() as st:
    for i in range(3):
        st.callback(print, "bye", i)
    s = st.enter_context(closing(io.StringIO("abc")))
    st.push(lambda *a: print("exit", a[0]))
    print(s.read())
with env(MODE="test"):
    print(os.environ["MODE"], os.getenv("MODE"))
print(os.environ.get("MODE"), os.getenv("HOME_X", "none"))
with nullcontext(4) as v:
    print(v)
with tempfile.TemporaryDirectory() as d:
    p = Path(d) / "a" / "b.txt"
    p.parent.mkdir(parents=True, exist_ok=True)
    p.write_text("hello\nworld\n")
    print(p.read_text().split(), p.stat().st_size, [x.name for x in Path(d).rglob("*.txt")], p.suffix, p.stem, p.with_suffix(".md").name, p.relative_to(d), p.exists(), p.is_file(), sorted(os.listdir(d)))
    with p.open("a", encoding="utf-8") as fh:
        fh.writelines(["x\n", "y\n"])
    for root, dirs, files in os.walk(d):
        print(len(dirs), files)
    p.rename(p.with_name("c.txt"))
    p.with_name("c.txt").unlink()
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    warnings.warn("careful", DeprecationWarning)
    print(len(w), w[0].category.__name__, str(w[0].message))
print(os.path.exists("/nonexistent"), isinstance(Timer(), AbstractContextManager))
with tempfile.NamedTemporaryFile("w+", suffix=".csv", delete=False) as tf:
    tf.write("a,b\n")
    tf.flush()
    tf.seek(0)
    print(tf.read(), os.path.basename(tf.name).endswith(".csv"))
os.unlink(tf.name)
