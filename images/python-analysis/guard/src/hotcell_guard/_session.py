"""The run after the hello: what needs more than the bare interpreter."""

from __future__ import annotations

import os
import sys

from hotcell_guard import _missing, _unguarded
from hotcell_guard.answering import _errors, _manifest, _warnings
from hotcell_guard.answering._answer import NO_ANSWER, answer
from hotcell_guard.answering._charts import Figures
from hotcell_guard.answering._ending import Kept, play
from hotcell_guard.answering._report import Report, fitting, guard_failed, spent
from hotcell_guard.confining import _absence, _audit, _lock, _reseed, _warmup
from hotcell_guard.confining._budget import Budget
from hotcell_guard.granting import _awaiting, _builtins, _context, _event_loop, _exits, _imports, _tables, _tracebacks
from hotcell_guard.granting._attributes import Attributes
from hotcell_guard.granting._evaluating import Evaluator
from hotcell_guard.granting._files import Zones, guarded_open
from hotcell_guard.granting._gadgets import replacements
from hotcell_guard.granting._importlib import by_name
from hotcell_guard.granting._standins import StandIns
from hotcell_guard.granting._views import Views
from hotcell_guard.libraries import _matplotlib
from hotcell_guard.libraries._hardening import Hardening
from hotcell_guard.speaking import _interrupts, _start
from hotcell_guard.speaking._protocol import Channel
from hotcell_guard.speaking._seal import door
from hotcell_guard.speaking._streams import Output, OutputStream
from hotcell_guard.vetting import _code, _rules, _vet
from hotcell_guard.vetting._violations import Refused

# pylint: disable=used-before-assignment  # sealed functions get their constants by name
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import CodeType, FrameType
    from typing import Any, Final, NoReturn

    from hotcell_guard.answering._answer import Answer
    from hotcell_guard.vetting._helpers import Marker

    WATCH: Any  # the constant of what is sealed here

__all__ = ["Session", "zones"]

_LAST_FLUSH_SECONDS: Final = 1.0

_REHEARSAL: Final = b"{'a': [n + 1 for n in (1, 2)], 'b': f'{0.5}', 'c': 'x'.upper()}\n"
"""An expression, which binds no name of the script's."""
_ENOUGH: Final = 1 << 40
"""Operations, for what is no script's."""


def zones(start: _start.Start) -> Zones:
    """Return the directories of a run."""
    return Zones(start.bundle_dir, start.output_dir, os.environ.get("TMPDIR", "/tmp"), start.endings)


def _watched(code: CodeType) -> None:
    WATCH(code)


def _caller(functions: Sequence[Callable[[], object]]) -> Callable[[], None]:
    def call() -> None:
        for function in functions:
            function()

    return call


class Session:
    """One namespace, and the scripts that run in it one after the other."""

    def __init__(self, channel: Channel, start: _start.Start) -> None:
        if not start.unguarded:
            _absence.hide_native()
        limits = start.limits
        self._channel = channel
        self._start = start
        self._inputs = b""
        self._kept = Kept()
        self._figures = Figures(start.output_dir, start.max_figures, start.endings)
        self._output = Output(channel, limits, follows=not start.unguarded)
        self._toolbox = _context.Toolbox(channel, start)
        self._interrupts = _interrupts.Interrupts()
        self._budget = Budget(limits.operations, limits.loop_iterations, self._used_up, self._spent, self._interrupts.ask)
        self._zones = zones(start)
        self._in_force = b""  # what the host is told when the first script is ready
        # What a script reaches leads to these, and not to the session and its channel.
        self._changes: list[Callable[[], object]] = [self._figures.patch, self._zones.endings.patch]
        self._views = Views(start.shown, _caller(self._changes))
        self._sources: dict[str, Sequence[str]] = {}  # the lines of each script, by its name
        self._bound: set[str] = set()  # names that the scripts so far can bind, also later on
        self._namespace: dict[str, Any] = {}
        self._helpers: Mapping[Marker, object] = {}  # of rewritten code, once there is a namespace
        self._pure: set[type] = set()  # classes whose objects are all the script's
        self._begin: Callable[[], None] = lambda: None  # what libraries do from then on can be the script's doing
        self._rename: Callable[[str], None] = lambda script: None
        self._steps = 0
        self._later = False  # whether the script awaits its calls of tools elsewhere than where it makes them
        self._exits = _exits.Exits()
        self._lock: Any = _lock
        self._native: Any = None  # what forks need, in a template
        self._forks: Any = None
        self._hook: Any = None

    def allow(self) -> None:
        """Set the bounds of one run, for which all else is ready, and have it begin now."""
        _reseed.begin()
        limits = self._start.limits
        self._output.allow(limits)
        self._toolbox.allow(self._start)
        self._budget.allow(limits.operations, limits.loop_iterations)

    def accept(self, inputs: bytes) -> None:
        """Take in the request's inputs, before the first script."""
        self._inputs = inputs
        if self._namespace:
            self._namespace.update(_context.inputs(inputs, self._start, self._toolbox))
            self._rename(self._start.script_name)

    def check(self, source: bytes) -> Report:
        """Vet one script without running it, in a guard that is locked already."""
        try:
            start = self._start
            _vet.vet(source, start.script_name, start.rules, reserved=_context.reserved(start)).compile(self._helpers)
        except Refused as refused:
            return Report.rejected(refused)
        return Report("vetted")

    def prepare(self) -> None:
        """Make everything ready for any script, and lock the process."""
        self._prepare()
        self._load(None)
        self._close()

    def prepare_forks(self, container_seccomp: bytes) -> None:
        """Make everything ready but the lock, which what is forked loads, each for itself."""
        self._prepare()
        self._load(None)
        channel, start = self._channel, self._start
        self._rehearse()
        if start.unguarded:
            from hotcell_guard.confining import _fork as fork
        else:
            self._make_hook()
            self._interrupts.prepare(self._namespace, vars(_event_loop))
            self._native = _absence.take_away_before_forks(channel.descriptors)
            self._lock, fork = self._native
            self._views.make_ahead()  # now that they hold what stands in for what was taken
        self._forks = fork.Forks(channel, container_seccomp, start.output_dir)

    def serve_forks(self) -> None:
        """Fork as the host demands. Returns in what was forked, locked and in its sandbox."""
        self._forks.serve()
        self._forks = None
        _reseed.reseed()
        self._install()
        if self._native is not None:
            _absence.let_go(self._native)
            self._native = None
        self._add_hook()
        self._rehearse()

    def _rehearse(self) -> None:
        """Do once what every run does, with a script of the guard's own, and send nothing.

        In a template it makes what is made when something is done for the first time. What
        is forked copies each page at the first write to it, which takes longer than what a
        short script does: here nobody waits for it. What libraries have written while they
        were loaded waits for the first script, as it does without a template.
        """
        start = self._start
        start.go(start.own())
        self.accept(b"")
        operations, iterations = start.limits.operations, start.limits.loop_iterations
        self._budget.allow(operations and _ENOUGH, iterations and _ENOUGH)
        code = self._own(_REHEARSAL, "rehearsal").compile(self._helpers)
        fitting(self._perform(code), start.limits.report_bytes)
        self.allow()

    def step(self, source: bytes) -> Report:
        """Vet one script, run it and say how it ended."""
        self._steps += 1
        name = self._script_name()
        try:
            checked = self._accept(source, name)
        except Refused as refused:
            return Report.rejected(refused)
        self._sources[name] = checked.lines
        self._later = _awaiting.waits_later(checked.lines)
        self._bound |= checked.bound
        if not self._namespace:
            # No refusal is looked for here: after one, the next script would find a namespace, and no lock.
            try:
                self._prepare()
                self._load(checked)
                self._close()
            except (_tables.PreparationFault, _lock.ControlFault) as fault:
                return guard_failed(fault)
        try:
            code = checked.compile(self._helpers)
        except Refused as refused:
            return Report.rejected(refused)
        return self._run(code)

    def _accept(self, source: bytes, name: str) -> _vet.Checked:
        if self._start.unguarded:
            return _unguarded.parse(source, name)
        return _vet.vet(source, name, self._start.rules, self._bound, _context.reserved(self._start))

    def _own(self, source: bytes, name: str) -> _vet.Checked:
        """Accept a script of the guard's, whatever the policy denies to others. What it asks for is still refused."""
        if self._start.unguarded:
            return _unguarded.parse(source, name)
        return _vet.vet(source, name, _rules.Rules(frozenset(), frozenset(), frozenset()))

    def _script_name(self) -> str:
        if self._start.mode == "run":
            return self._start.script_name
        return f"step-{self._steps}.py"  # as the host calls it

    def _prepare(self) -> None:
        os.chdir(self._start.output_dir)  # a relative path means the output directory
        _matplotlib.place_fonts()
        if self._start.unguarded:
            given = _context.inputs(self._inputs, self._start, self._toolbox)
            self._namespace = _unguarded.namespace(self._start, given)
        else:
            _warnings.install(self._sources)
            self._namespace = self._make_namespace()
        sys.stdout = sys.__stdout__ = OutputStream(self._output.stdout)  # type: ignore[misc,assignment]  # a TextIOBase will do
        sys.stderr = sys.__stderr__ = OutputStream(self._output.stderr)  # type: ignore[misc,assignment]

    def _close(self) -> None:
        """Lock the process, take out what nobody needs any more, and set the hook. Only now is the user's code compiled.

        The hook comes last: until here all code is the guard's and the image's, and needs what is refused from here on.
        """
        self._install()
        self._make_hook()
        self._interrupts.prepare(self._namespace, vars(_event_loop))
        if self._start.seccomp and not self._start.unguarded:
            _absence.take_away(self._channel.descriptors)
        self._add_hook()

    def _install(self) -> None:
        if self._start.seccomp:
            abi = self._lock.install(self._start.seccomp, self._zones, self._start.required_controls)
            self._in_force = b'{"landlock":%d}' % abi

    def _make_hook(self) -> None:
        if not self._start.unguarded:
            self._output.follow()
            descriptors = self._channel.descriptors
            self._hook = _audit.make(self._zones, self._start.rules, descriptors, self._budget.events, self._pure)

    def _add_hook(self) -> None:
        if self._hook is not None:
            _audit.add(self._hook)
            self._hook = None

    def _load(self, checked: _vet.Checked | None) -> None:
        """Load what the script imports and all native code that it may need: afterwards none can be, under the lock.

        Without one, too: what a library does while it is loaded is trusted only before the script begins. None is for
        scripts that are not known yet.
        """
        imports = self._start.rules.loaded
        if not self._start.seccomp and self._start.unguarded:
            return
        if checked is None or self._start.mode == "session":
            _warmup.warm(_unguarded.needed(_warmup.NOTHING) if self._start.unguarded else imports, None)
        else:
            script = _warmup.needs(checked.tree)
            modules = _unguarded.needed(script) if self._start.unguarded else script.modules & imports
            _warmup.warm(modules, script.words)
        _caller(self._changes)()

    def _make_namespace(self) -> dict[str, Any]:
        """Make the module ``__main__`` that the script believes to be."""
        import pathlib

        start = self._start
        module = type(sys)("__main__")
        namespace = vars(module)
        main = _builtins.own_module(namespace)
        importer = _imports.guarded_import(start.rules, self._views, main)
        opener = guarded_open(self._zones)
        attributes = Attributes(start.rules, _context.answers(start))
        self._exits = attributes.exits
        self._helpers = self._kept.beside(attributes.helpers, start.answer)
        self._pure = attributes.ownership.pure
        table = namespace["__builtins__"] = _builtins.curated(start.rules, importer, opener, attributes, namespace)
        if "eval" not in start.rules.builtins:
            Evaluator(start.rules, namespace, attributes, self._bound).install(table)
        places = attributes.places = _errors.teller(self._sources, namespace)
        _tracebacks.tell_uncaught(places)
        watch, told = door(_watched, WATCH=self._budget.watch), _tracebacks.for_libraries(places)
        hardening = Hardening(start.rules, namespace, attributes, watch, told)
        named = by_name(start.shown.imports, self._views)
        stand_ins = StandIns(self._zones, attributes, start.script_name, _builtins.leave, named, self._views.made, main)
        self._rename = stand_ins.rename
        self._views.replace(replacements(attributes, opener, places), stand_ins)
        if start.bundle_dir:
            namespace["DATA"] = pathlib.Path(start.bundle_dir)
        namespace["OUTPUT"] = pathlib.Path(start.output_dir)
        namespace.update(_context.inputs(self._inputs, start, self._toolbox))
        namespace.update(_tables.load(start.bundle_dir, start.tables))
        sys.modules["__main__"] = module
        hardening.apply()
        namespace.update(_tables.preload(self._views, start.preloaded))  # after it: a view keeps what its module holds now
        self._changes += [hardening.check, seeds := _reseed.Seeds(start)]
        self._begin = _caller([hardening.begin, seeds])
        return namespace

    def _run(self, script: _code.Code) -> Report:
        self._begin()
        self._namespace.pop("result", None)  # a step's own, not the one before's
        for code in (script.body, script.last):
            if code is not None:
                self._budget.watch(code)
        self._channel.send(b"Y", self._in_force)
        self._in_force = b""  # what is said once a script has run is not believed
        in_session = self._start.mode == "session"
        self._output.begin(self._steps if in_session else 0)
        if in_session:
            limits = {**self._start.limits.following(), b"A": self._start.limits.answer_bytes}
            self._interrupts.begin(self._steps, self._channel, limits)
        report = self._perform(script)
        self._interrupts.end()
        report.truncated, told = self._output.end()
        report.warnings = [*report.warnings, *told]
        return report

    def _perform(self, script: _code.Code) -> Report:
        self._toolbox.begin(self._later)
        self._budget.begin(others_follow=self._start.mode == "session")
        answered, error = _errors.attempt(lambda: self._script(script))
        self._toolbox.end()
        files, unlisted = _errors.attempt(self._files)
        report = self._report(answered, error or unlisted, files)
        if error is None and type(unlisted) is _manifest.TooManyFiles and not report.limit:
            report.overflow(str(unlisted))
        self._budget.end()
        return report

    def _script(self, code: _code.Code) -> Answer:
        self._figures.begin()  # which may call what an earlier step has left in a figure
        try:
            ended = play(code, self._namespace, self._kept, _event_loop.drive)
        finally:
            self._exits.run()
        self._toolbox.settle()
        ended.printed = self._output.stdout.used
        return answer(self._start.answer, ended, self._namespace, self._figures, self._start.limits)

    def _report(self, answered: Answer | None, error: BaseException | None, files: Any) -> Report:
        report = self._budget.met or Report("completed" if error is None else "raised")
        report.files = files or []
        if report.limit:
            return report
        answered = answered or NO_ANSWER
        if answered.excess:
            report.exceed(answered.excess)
        elif error is None:
            report.result, report.charts, report.warnings = answered.result, answered.charts, answered.warnings
        else:
            report.error, report.limit = self._described(error), self._zones.met.limit(error)
        return report

    def _described(self, error: BaseException) -> _errors.Error:
        described = _errors.describe(error, self._sources, self._namespace)
        missing = _missing.Missing(self._start, self._namespace, self._sources)
        for adviser in (self._views.missing_name_advice, missing.advice, _lock.refusal_advice):
            # What the script's exception holds can be of its own making: whoever it stops, the next is asked.
            advice, _ = _errors.attempt(lambda adviser=adviser: adviser(error))  # type: ignore[misc]
            if advice:
                _errors.advise(described, advice)
                break
        return _errors.with_notes(described, error)

    def _files(self) -> list[dict[str, str | int]]:
        return _manifest.manifest(self._start.output_dir, self._figures.paths, self._start.limits.report_bytes)

    def _spent(self, budget: str, frame: FrameType | None) -> Report:
        return spent(budget, getattr(self._start.limits, budget), frame, self._sources, self._namespace)

    def _used_up(self, budget: str, frame: FrameType | None) -> NoReturn:
        """Report that a budget is used up, and end the process at once."""
        report = self._budget.met or self._spent(budget, frame)
        report.outcome = "limit"
        self._output.flush_within(_LAST_FLUSH_SECONDS)  # a thread of the script may sit in its lock
        if self._start.mode == "session":
            self._toolbox.end()  # the answer to another thread must not come after the report
        files, _ = _errors.attempt(self._files)
        report.files = files or []
        report.truncated = {"stdout": self._output.stdout.truncated, "stderr": self._output.stderr.truncated}
        self._channel.finish(b"R", fitting(report, self._start.limits.report_bytes))
