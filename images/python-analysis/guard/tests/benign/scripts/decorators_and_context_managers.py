import functools
import time
import warnings
from contextlib import contextmanager, suppress, ExitStack, nullcontext

def timed(repeat=1):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            start = time.perf_counter()
            for _ in range(repeat):
                value = function(*args, **kwargs)
            wrapper.calls += repeat
            wrapper.seconds = time.perf_counter() - start
            return value
        wrapper.calls = 0
        return wrapper
    return decorate

@timed(repeat=3)
def work(n):
    """Add up numbers."""
    return sum(range(n))

print(work(1000), work.calls, work.__name__, work.__doc__, work.seconds >= 0)

@contextmanager
def section(title):
    print(f"<{title}>")
    try:
        yield title.upper()
    finally:
        print(f"</{title}>")

with section("results") as name, suppress(ZeroDivisionError):
    print(name)
    1 / 0

class Timer:
    def __enter__(self):
        self.start = time.monotonic()
        return self
    def __exit__(self, kind, value, traceback):
        self.elapsed = time.monotonic() - self.start
        return kind is KeyError

with Timer() as timer:
    {}["missing"]
print(timer.elapsed >= 0)
with ExitStack() as stack:
    stack.callback(print, "last")
    stack.enter_context(section("inner"))
with warnings.catch_warnings(record=True) as seen, nullcontext():
    warnings.simplefilter("always")
    warnings.warn("careful", DeprecationWarning)
print(len(seen), seen[0].category.__name__)

@functools.singledispatch
def show(value):
    return f"any {value}"
@show.register
def _(value: int):
    return f"int {value}"
@show.register(list)
def _(value):
    return f"list of {len(value)}"
print(show("x"), show(3), show([1]))
class Lazy:
    @functools.cached_property
    def answer(self):
        print("computed")
        return 42
lazy = Lazy()
print(lazy.answer, lazy.answer)
