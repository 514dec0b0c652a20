"""``unittest`` for the script: its own tests, and decorators for what is its own.

The classes are Python's. What imports tests, finds them in files or changes objects of
others is not there: see also ``libraries._testing``.
"""

from __future__ import annotations

import sys
from types import FunctionType, SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["functions"]


def functions(own_only: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Mapping[str, object]:
    """Return what a view of unittest has instead of its own; own_only keeps a decorator from what is a library's."""
    return {"main": main, **_skips(own_only)}


def main(
    module: Any = "__main__",
    defaultTest: Any = None,  # noqa: N803  # Python's names
    argv: Any = None,
    testRunner: Any = None,  # noqa: N803
    testLoader: Any = None,  # noqa: N803
    exit: Any = True,  # noqa: A002
    verbosity: Any = 1,
    **options: Any,
) -> Any:
    """Run the script's tests. Without exit=False that ends the script, with the code 1 if a test has failed."""
    import unittest  # only who asks for it needs it

    tests: Any = _tests() if type(module) is str and module == "__main__" else module
    if isinstance(tests, str) or tests is None:
        raise ImportError("unittest.main() runs the tests of this script; leave module out")
    words = ["script.py"] if argv is None else argv
    loader = unittest.defaultTestLoader if testLoader is None else testLoader
    return unittest.TestProgram(tests, defaultTest, words, testRunner, loader, exit, verbosity, **options)


class _Tests(SimpleNamespace):
    """The script's classes and functions, as a module would have them: no module of the script's is handed out."""

    def __dir__(self) -> list[str]:
        return sorted(vars(self))


def _tests() -> _Tests:
    held = vars(sys.modules["__main__"]).items()
    return _Tests(**{name: value for name, value in held if not name.startswith("_") and _is_written(value)})


def _is_written(value: object) -> bool:
    return type(value) is FunctionType or issubclass(type(value), type)


def _skips(own_only: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Mapping[str, object]:
    """Return the decorators: each writes into the class or function that it is given."""

    def skip(reason: Any) -> Any:
        """Unconditionally skip a test."""
        import unittest

        if type(reason) is FunctionType:  # the decorator without its reason
            return own_only(unittest.skip)(reason)
        return own_only(_called("skip", unittest.skip(reason)))

    def skipIf(condition: object, reason: Any) -> Any:  # noqa: N802
        """Skip a test if the condition is true."""
        return skip(reason) if condition else _as_it_is

    def skipUnless(condition: object, reason: Any) -> Any:  # noqa: N802
        """Skip a test unless the condition is true."""
        return _as_it_is if condition else skip(reason)

    def expectedFailure(test_item: Any) -> Any:  # noqa: N802
        """Mark a test that fails, and is right to."""
        import unittest

        return own_only(unittest.expectedFailure)(test_item)

    return {each.__name__: each for each in (skip, skipIf, skipUnless, expectedFailure)}


def _called(name: str, decorator: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def call(target: Any) -> Any:
        return decorator(target)

    call.__name__ = name
    return call


def _as_it_is(target: Any) -> Any:
    return target
