import functools
import inspect
import logging
import sys
import time

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("toolkit")


def timed(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        try:
            return func(*args, **kwargs)
        finally:
            wrapper.total += time.perf_counter() - start
            wrapper.calls += 1
    wrapper.total = 0.0
    wrapper.calls = 0
    return wrapper


def retry(times=3, exceptions=(Exception,), delay=0.0):
    def decorator(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            for attempt in range(1, times + 1):
                try:
                    return func(*args, **kwargs)
                except exceptions as e:
                    log.info("%s attempt %d failed: %s", func.__name__, attempt, e)
                    if attempt == times:
                        raise
                    time.sleep(delay)
        return wrapper
    return decorator


def typecheck(func):
    signature = inspect.signature(func)
    hints = func.__annotations__

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            expected = hints.get(name)
            if expected and not isinstance(value, expected):
                raise TypeError(f"{func.__qualname__}: {name} should be {expected.__name__}, got {type(value).__name__}")
        return func(*args, **kwargs)
    return wrapper


class CountCalls:
    def __init__(self, func):
        functools.update_wrapper(self, func)
        self.func = func
        self.count = 0

    def __call__(self, *args, **kwargs):
        self.count += 1
        return self.func(*args, **kwargs)

    def __get__(self, instance, owner):
        return functools.partial(self.__call__, instance)


@timed
@typecheck
def volume(width: int, height: int, depth: int = 1) -> int:
    """Volume of a box."""
    return width * height * depth


state = {"n": 0}


@retry(times=4, exceptions=(ConnectionError,))
def flaky():
    state["n"] += 1
    if state["n"] < 3:
        raise ConnectionError(f"try {state['n']}")
    return "ok"


class Service:
    @CountCalls
    def ping(self, x):
        return f"pong {x}"


print(volume(2, 3), volume(2, height=5, depth=2), volume.calls, volume.total >= 0)
try:
    volume("a", 2)
except TypeError as e:
    print(e)
print(flaky(), flaky.__name__)
s = Service()
print(s.ping(1), s.ping(2), Service.__dict__["ping"].count)
print(volume.__doc__, volume.__wrapped__.__wrapped__.__name__, inspect.signature(volume), volume.__module__)
print(functools.reduce(lambda a, b: a * b, range(1, 6)), functools.partial(pow, 2)(5))


@functools.singledispatch
def show(value):
    return f"object {value}"


@show.register
def _(value: int):
    return f"int {value:03d}"


@show.register(list)
def _(value):
    return "list " + ", ".join(map(show, value))


print(show(7), show("x"), show([1, "a"]))
