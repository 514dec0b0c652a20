"""Starts a guard whose script has gone past it: the switch of the suite, and nowhere else.

The script is not vetted, has Python's own builtins instead of the curated ones, and
with them the real import, sys.modules and os. Everything else is as for every run:
the audit hook, what was taken from the process, the hardened libraries, the lock. But
not Landlock, behind which a hole in the hook would not be seen.
"""

from __future__ import annotations

import builtins
from typing import Any

from hotcell_guard import _run, _unguarded
from hotcell_guard._session import Session
from hotcell_guard.confining import _lock

prepare = Session._make_namespace


def accept(session: Session, source: bytes, name: str) -> Any:
    """Take any script."""
    return _unguarded.parse(source, name)


def make_namespace(session: Session) -> dict[str, Any]:
    """Put all of Python into the script's hands."""
    namespace = prepare(session)
    namespace["__builtins__"] = vars(builtins)
    return namespace


_lock._confine = lambda kernel, zones, threads: 0  # type: ignore[assignment]
Session._accept = accept  # type: ignore[method-assign]
Session._make_namespace = make_namespace  # type: ignore[method-assign]
_run.main()
