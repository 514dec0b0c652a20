"""One run from start to end: take the descriptors, vet, prepare, run, report."""

from __future__ import annotations

import sys

from hotcell_guard.speaking import _protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Serve one run and end the process: 0 after a report, 70 on a fault."""
    try:
        channel = _protocol.take_channel()
        channel.send(b"H", _protocol.hello())
        # Everything else is imported while the host answers.
        from hotcell_guard import _serve

        _serve.serve(channel)
    finally:
        # Reached only without a report. No exit handler of the run's code may
        # follow, so the process ends here, with the reason in one line.
        _protocol.die(_reason(sys.exception()))


def _reason(error: BaseException | None) -> str:
    """Say what went wrong without the words of an exception that may quote data."""
    if isinstance(error, _protocol.GuardFault):
        return f"{error.kind}: {error}"
    trace = error.__traceback__ if error is not None else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" in {trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}" if trace is not None else ""
    return f"internal fault: {type(error).__name__}{place}"
