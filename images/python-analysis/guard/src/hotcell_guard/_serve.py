"""From the first frame to the end of the process: who is asked for what, and when."""

from __future__ import annotations

import os

from hotcell_guard._session import Session, zones
from hotcell_guard.answering._report import Report, fitting, guard_failed
from hotcell_guard.confining import _lock
from hotcell_guard.granting import _context, _tables
from hotcell_guard.granting._attributes import Attributes
from hotcell_guard.speaking import _start
from hotcell_guard.speaking._protocol import MAX_PREPARE, MAX_START, Channel, ProtocolFault, hello
from hotcell_guard.vetting import _vet
from hotcell_guard.vetting._violations import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["serve"]


def serve(channel: Channel) -> NoReturn:
    """Read start, inputs and code, and do the run. Ends the process."""
    kind, payload = channel.receive_first({b"S": MAX_START, b"P": MAX_PREPARE})
    session: Session | None = None
    if kind == b"S":
        start = _start.decode(payload)
    else:
        session, start = _ahead(channel, _start.decode_prepare(payload))
    inputs = channel.receive(b"I", start.limits.input_bytes)
    source = _following(channel, start)
    if source is None and start.mode == "session":
        os._exit(0)  # the host has ended the session before its first step
    if source is None:
        raise ProtocolFault("the stream ended before the code")
    if inputs and start.inputs == "none":
        raise ProtocolFault("there are inputs, and rules.inputs says that the script has none")
    if start.mode == "check":
        channel.finish(b"R", fitting(session.check(source) if session else _check(source, start), start.limits.report_bytes))
    if start.mode == "run" and not start.limits.call_bytes:
        channel.close_incoming()
    session = session or Session(channel, start)
    session.accept(inputs)
    report = session.step(source)
    while start.mode == "session" and report.outcome != "guard_failed":
        channel.send(b"R", fitting(report, start.limits.report_bytes))
        following = _following(channel, start)
        if following is None:
            os._exit(0)  # the host has ended the session
        report = session.step(following)
    channel.finish(b"R", fitting(report, start.limits.report_bytes))


def _following(channel: Channel, start: _start.Start) -> bytes | None:
    """Return the next script, or None at the end of the stream. In a session the host may ask meanwhile what a text is."""
    limits = start.limits.following() if start.mode == "session" else {b"C": start.limits.code_bytes}
    while (found := channel.receive_or_end(limits)) is not None:
        kind, payload = found
        if kind == b"C":
            return payload
        channel.send(b"V", _vet.form(payload).encode("ascii"))
    return None


def _check(source: bytes, start: _start.Start) -> Report:
    try:
        checked = _vet.vet(source, start.script_name, start.rules, reserved=_context.reserved(start))
        if start.seccomp:
            _lock.install(start.seccomp, zones(start), start.required_controls)
        checked.compile(Attributes(start.rules).helpers)
    except Refused as refused:
        return Report.rejected(refused)
    except _lock.ControlFault as fault:
        return guard_failed(fault)
    return Report("vetted")


def _ahead(channel: Channel, prepare: _start.Prepare) -> tuple[Session, _start.Start]:
    """Make everything ready that runs have in common, say so, and wait for what is one run's."""
    start = prepare.start
    session = Session(channel, start)
    try:
        if channel.is_socket:
            session.prepare_forks(prepare.container_seccomp)
            channel.send(b"W", b"")
            session.serve_forks()
            channel.send(b"H", hello())  # what was forked speaks for the first time
        else:
            session.prepare()
    except (_tables.PreparationFault, _lock.ControlFault) as fault:
        channel.finish(b"R", fitting(guard_failed(fault), start.limits.report_bytes))
    channel.send(b"W", b"")
    own = channel.receive_or_end({b"G": MAX_START})
    if own is None:
        os._exit(0)  # nobody has come
    start.go(own[1])
    session.allow()
    return session, start
