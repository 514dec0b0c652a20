"""``joblib`` for the script: calls that are noted down and made one after the other, in this process.

Nothing of the package's is behind it: that starts processes, pickles what it hands them and
keeps results in files.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Final

    Call = tuple[Callable[..., Any], tuple[Any, ...], Mapping[str, Any]]

__all__ = ["contents"]

_RETURNED: Final = ("list", "generator", "generator_unordered")


def contents() -> dict[str, object]:
    """Return what the module holds."""
    return {
        "Parallel": _fresh(_Parallel, "Parallel"),
        "cpu_count": _cpu_count,
        "delayed": _delayed,
        "effective_n_jobs": _effective_n_jobs,
        "parallel_backend": _fresh(_Config, "parallel_backend"),
        "parallel_config": _fresh(_Config, "parallel_config"),
    }


def _fresh(base: type, name: str) -> type:
    """Make a class of the run's own."""
    return type(name, (base,), {"__slots__": (), "__doc__": base.__doc__, "__module__": "joblib"})


def _cpu_count(only_physical_cores: bool = False) -> int:
    """Return the number of processors that calls are shared among."""
    return 1


def _effective_n_jobs(n_jobs: int = -1) -> int:
    """Return how many calls are made at the same time."""
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 in Parallel has no meaning")
    return 1


def _delayed(function: Callable[..., Any]) -> Callable[..., Call]:
    """Return what notes down the arguments of a call."""

    def note(*args: Any, **kwargs: Any) -> Call:
        return function, args, kwargs

    return note


class _Parallel:
    """Makes calls one after the other. Options are taken and change nothing."""

    __slots__ = ("_lazy", "n_jobs")

    def __init__(self, n_jobs: int | None = None, backend: object = None, *, return_as: str = "list", **_: Any) -> None:
        if return_as not in _RETURNED:
            raise ValueError(f"return_as is 'list' or 'generator', not {str(return_as)[:100]!r}")
        self.n_jobs = n_jobs
        self._lazy = return_as != "list"

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def __call__(self, iterable: Iterable[Call]) -> Any:
        """Return the result of each call of the iterable."""
        results = (function(*args, **kwargs) for function, args, kwargs in iterable)
        return results if self._lazy else list(results)


class _Config:
    """A context in which calls are made as outside of it."""

    __slots__ = ()

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        return None
