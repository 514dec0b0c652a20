"""What a wrapper wraps."""
import functools


@functools.lru_cache
def f():
    return 1


print("ESCAPED:wrapper_wrapped", f.__wrapped__.__globals__["__builtins__"])
