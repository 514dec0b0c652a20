"""tqdm."""

from __future__ import annotations

import sys

from hotcell_guard.granting._wrapping import instead_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, NoReturn

    from hotcell_guard.libraries._changes import Changes, Means

__all__ = ["changes"]

_OF_WRAPPERS: Final = frozenset(("_wrapped", "encoding", "flush", "read", "write"))


def changes(_: Means) -> Changes:
    """Return the change to each module."""
    return {"tqdm.utils": _keep_wrappers, "tqdm.std": _alone, "tqdm.auto": _plain}


def _keep_wrappers(module: Any) -> None:
    """Let the wrapper of a bar's stream read and write by name only what it is made of: its class could be set."""
    for name in ("wrapper_getattr", "wrapper_setattr"):
        setattr(module.ObjectWrapper, name, _named(vars(module.ObjectWrapper)[name]))


def _named(original: Any) -> Any:
    @instead_of(original)
    def checked(self: Any, name: str, *value: Any) -> Any:
        exact = str.__str__(name)
        if exact not in _OF_WRAPPERS:
            raise AttributeError(f"{exact!r} cannot be used by that name here")
        return original(self, exact, *value)

    return checked


def _alone(module: Any) -> None:
    """Let a bar be without a thread that watches it, and without a lock that other processes would share."""
    bar = module.tqdm
    bar.monitor_interval = 0
    module.TMonitor = _no_monitor
    locks = module.TqdmDefaultWriteLock
    locks.mp_lock = None
    locks.create_mp_lock = classmethod(lambda _: None)
    bar.get_lock()  # which is kept in the class
    if "pandas" in sys.modules:  # of what a policy lists it is loaded first
        _help_pandas(bar)


def _help_pandas(bar: Any) -> None:
    """Give pandas its ``progress_apply`` now: later nobody may change its classes."""
    bar.pandas()
    given = _settings()

    def pandas(_: Any, /, **settings: Any) -> None:
        """Say how the bars of ``progress_apply`` look."""
        given.clear()
        given.update(settings)

    bar.pandas = classmethod(pandas)


def _settings() -> dict[str, Any]:
    """Return the settings that tqdm has put into the closure of what it gave to pandas."""
    function: Any = vars(sys.modules["pandas"])["DataFrame"].progress_apply
    cells = dict(zip(function.__code__.co_freevars, function.__closure__, strict=True))
    found: dict[str, Any] = cells["tqdm_kwargs"].cell_contents
    return found


def _no_monitor(*_: object) -> NoReturn:
    raise PermissionError("a bar has no thread of its own in this run")


def _plain(module: Any) -> None:
    """Let ``tqdm.auto`` be the bar for text: there is no notebook, and its loop would be another."""
    std = vars(sys.modules["tqdm.std"])
    module.tqdm, module.trange = std["tqdm"], std["trange"]
