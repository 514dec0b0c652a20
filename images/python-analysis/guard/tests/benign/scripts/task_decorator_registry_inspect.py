"""Command registry that builds help texts from signatures and docstrings."""
import functools
import inspect
import sys
from typing import Callable, Dict

COMMANDS: Dict[str, Callable] = {}


def command(name=None, *, hidden=False):
    def wrap(func):
        @functools.wraps(func)
        def inner(*args, **kwargs):
            bound = inspect.signature(func).bind(*args, **kwargs)
            bound.apply_defaults()
            print(f"-> {func.__name__}({', '.join(f'{k}={v!r}' for k, v in bound.arguments.items())})")
            return func(*args, **kwargs)

        inner.hidden = hidden
        COMMANDS[name or func.__name__] = inner
        return inner

    return wrap


@command()
def greet(name: str, greeting: str = "Hello") -> str:
    """Greet somebody."""
    return f"{greeting}, {name}!"


@command("sum")
def add_all(*numbers: int) -> int:
    """Add numbers."""
    return sum(numbers)


@command(hidden=True)
def _debug(**options):
    """Internal."""
    return options


def show_help(stream=sys.stdout):
    for name, func in sorted(COMMANDS.items()):
        if func.hidden:
            continue
        sig = inspect.signature(func)
        print(f"{name:10s} {sig}  - {inspect.getdoc(func)}", file=stream)
        for p in sig.parameters.values():
            kind = p.kind.name
            default = "" if p.default is inspect.Parameter.empty else f" (default {p.default!r})"
            annotation = getattr(p.annotation, "__name__", str(p.annotation))
            print(f"    {p.name}: {annotation} [{kind}]{default}", file=stream)


def main():
    show_help()
    print(COMMANDS["greet"]("Ada"))
    print(COMMANDS["greet"]("Bob", greeting="Hi"))
    print(COMMANDS["sum"](1, 2, 3))
    print(COMMANDS["_debug"](x=1))
    try:
        COMMANDS["greet"]()
    except TypeError as e:
        print("error:", e)
    print(inspect.isfunction(greet), inspect.isclass(dict), inspect.isgenerator((x for x in [])))
    print(greet.__wrapped__.__name__, greet.__doc__)


if __name__ == "__main__":
    sys.exit(main())
