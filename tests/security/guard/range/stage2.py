"""Starts a guard whose lock is stage 2 alone: what Landlock would hold is not held."""

from hotcell_guard import _run
from hotcell_guard.confining import _lock

_lock._confine = lambda kernel, zones, threads: 0
_run.main()
