import functools
import inspect

PLUGINS = {}


def register(name=None):
    def decorate(func):
        PLUGINS[name or func.__name__] = func
        return func
    return decorate


def validate_types(func):
    hints = func.__annotations__

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        bound = inspect.signature(func).bind(*args, **kwargs)
        for key, value in bound.arguments.items():
            if key in hints and not isinstance(value, hints[key]):
                raise TypeError(f"{key} must be {hints[key].__name__}, not {type(value).__name__}")
        return func(*args, **kwargs)
    return wrapper


def retry(times):
    def decorate(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            for attempt in range(1, times + 1):
                try:
                    return func(*args, **kwargs)
                except ConnectionError as e:
                    print(f"attempt {attempt}: {e}")
            raise RuntimeError("gave up")
        return wrapper
    return decorate


@register()
@validate_types
def area(width: int, height: int) -> int:
    return width * height


@register("flaky")
@retry(times=3)
def unstable(counter=[0]):
    counter[0] += 1
    if counter[0] < 3:
        raise ConnectionError("no route")
    return f"succeeded after {counter[0]}"


print(sorted(PLUGINS), PLUGINS["area"](3, 4), PLUGINS["flaky"]())
try:
    area("3", 4)
except TypeError as e:
    print("TypeError:", e)
print(inspect.signature(area), area.__wrapped__.__name__, list(inspect.signature(retry).parameters))
