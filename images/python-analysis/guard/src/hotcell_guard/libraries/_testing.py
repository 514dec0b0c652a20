"""unittest, of which a script has its own tests: see ``granting._unittest``."""

from __future__ import annotations

from types import SimpleNamespace

from hotcell_guard.granting import _asyncio
from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries._changes import put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from hotcell_guard.libraries._changes import Changes, Means

__all__ = ["changes"]


def changes(means: Means) -> Changes:
    """Return the change to each module."""
    return {
        "unittest.async_case": put("asyncio", SimpleNamespace(Runner=_asyncio.Runner)),  # Python's own sets a signal
        "unittest.loader": _find_nothing,
        "unittest.main": _ask_nobody,
        "unittest.suite": _keep_results,
        "unittest.runner": put("registerResult", _nothing),
    }


def _import(name: str, *arguments: object) -> NoReturn:
    raise ImportError(f"{str.__str__(name)!r}: tests are those of the script; name its classes, as in loadTestsFromTestCase(T)")


def _nothing(*arguments: object) -> None:
    """Leave signals as they are: an interrupt is the host's."""


def _find_nothing(module: Any) -> None:
    """Let a loader import nothing by a name, and look into no directory."""

    def discover(self: object, *arguments: object, **options: object) -> NoReturn:
        raise ImportError("tests are those of the script: unittest.main(argv=[''], exit=False)")

    vars(module)["__import__"] = _import
    for name in ("discover", "_find_tests", "_find_test_path", "_get_module_from_name"):
        setattr(module.TestLoader, name, discover)


def _ask_nobody(module: Any) -> None:
    vars(module)["__import__"], module.installHandler = _import, _nothing


def _keep_results(module: Any) -> None:
    """Let a suite note how far it has come in a result, and in no other object."""
    from unittest.result import TestResult

    original = module.TestSuite.run

    @instead_of(original)
    def run(self: Any, result: Any, debug: Any = False) -> Any:
        if not issubclass(type(result), (TestResult, module._DebugResult)):
            raise TypeError("run() takes a unittest.TestResult")
        return original(self, result, debug)

    module.TestSuite.run = run
