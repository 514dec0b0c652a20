"""The run after the hello: what needs more than the bare interpreter."""

from __future__ import annotations

import json
import os
import sys

from hotcell_guard import _audit, _builtins, _errors, _imports, _manifest, _start, _tables, _vet, _warnings
from hotcell_guard._charts import Figures
from hotcell_guard._files import Zones, guarded_open, missing_file_advice
from hotcell_guard._protocol import MAX_START, Channel
from hotcell_guard._report import Report
from hotcell_guard._result import Converter, ResultTooLargeError
from hotcell_guard._streams import OutputStream
from hotcell_guard._violations import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from hotcell_guard._result import Json

    Answer = tuple[Json, list[Json]]

__all__ = ["serve"]

_NO_ANSWER: Answer = (None, [])


def serve(channel: Channel) -> NoReturn:
    """Read start and code, and do the run. Ends the process."""
    start = _start.decode(channel.receive(b"S", MAX_START))
    source = channel.receive(b"C", start.code_bytes)
    channel.close_incoming()
    try:
        checked = _vet.vet(source, start.script_name, start.rules)
        session = Session(channel, start, checked)
    except Refused as refused:
        report = Report("rejected")
        report.violations = refused.violations
    except _tables.TableFault as fault:
        report = Report("guard_failed")
        report.error = _errors.fault("TableFault", str(fault))
    else:
        report = session.run()
    channel.finish(b"R", _fitting(report, start.report_bytes))


def _fitting(report: Report, limit: int) -> bytes:
    """Encode the report; without result and charts when they make it too large."""
    payload = report.encode()
    if len(payload) > limit:
        message = f"result, charts and file list take {len(payload)} bytes and may take {limit}"
        report.outcome, report.result, report.charts = "raised", *_NO_ANSWER
        report.error = _errors.fault(ResultTooLargeError.__name__, message)
        payload = report.encode()
    if len(payload) > limit:
        raise ValueError("the list of files alone is larger than the report may be")
    return payload


class Session:
    """One script in its namespace."""

    def __init__(self, channel: Channel, start: _start.Start, checked: _vet.Checked) -> None:
        self._channel = channel
        self._start = start
        self._checked = checked
        self._figures = Figures(start.output_dir, start.max_figures)
        self._stdout = OutputStream(channel, b"O", start.stdout_bytes)
        self._stderr = OutputStream(channel, b"E", start.stderr_bytes)
        os.chdir(start.output_dir)  # a relative path means the output directory
        self._zones = Zones(start.bundle_dir, start.output_dir, os.environ.get("TMPDIR", "/tmp"))
        _warnings.install()
        _audit.install(self._zones, start.rules, channel.descriptors)
        self._namespace = self._make_namespace()

    def _make_namespace(self) -> dict[str, Any]:
        """Make the module ``__main__`` that the script believes to be."""
        import pathlib

        start = self._start
        module = type(sys)("__main__")
        namespace = vars(module)
        importer = _imports.guarded_import(start.rules, self._figures.patch)
        namespace["__builtins__"] = _builtins.curated(start.rules, importer, guarded_open(self._zones))
        if start.bundle_dir:
            namespace["DATA"] = pathlib.Path(start.bundle_dir)
        namespace["OUTPUT"] = pathlib.Path(start.output_dir)
        namespace.update(_tables.load(start.bundle_dir, start.tables))
        sys.modules["__main__"] = module
        return namespace

    def run(self) -> Report:
        """Run the script and say how it ended."""
        self._channel.send(b"Y", b"")
        sys.stdout = sys.__stdout__ = self._stdout  # type: ignore[misc,assignment]  # a TextIOBase will do
        sys.stderr = sys.__stderr__ = self._stderr  # type: ignore[misc,assignment]
        answer, error = _errors.attempt(self._script)
        if error is None:
            files, error = _errors.attempt(self._files)
        else:
            files, _ = _errors.attempt(self._files)
        self._stdout.flush()
        self._stderr.flush()
        return self._report(answer, error, files)

    def _report(self, answer: Answer | None, error: BaseException | None, files: Any) -> Report:
        report = Report("completed" if error is None else "raised")
        report.result, report.charts = answer or _NO_ANSWER
        report.files = files or []
        report.truncated = {"stdout": self._stdout.truncated, "stderr": self._stderr.truncated}
        if error is not None:
            report.result, report.charts = _NO_ANSWER
            report.error = self._described(error)
        return report

    def _described(self, error: BaseException) -> _errors.Error:
        described = _errors.describe(error, self._start.script_name, self._checked.lines, self._namespace)
        advice = missing_file_advice(error, self._start.bundle_dir)
        if advice is not None:
            _errors.advise(described, advice)
        return described

    def _script(self) -> Answer:
        value = None
        try:
            exec(self._checked.body, self._namespace)
            if self._checked.last is not None:
                value = eval(self._checked.last, self._namespace)
        except SystemExit as end:
            if end.code is not None and end.code != 0:
                raise
        return self._answer(value)

    def _answer(self, last: object) -> Answer:
        """Convert the result and collect the figures; both may run the script's code."""
        self._figures.patch()
        converter = Converter(self._start.report_bytes, self._figures.keep)
        chosen = "result" in self._namespace
        result = converter.convert(self._namespace["result"] if chosen else last)
        if converter.opaque and not chosen:
            result = None  # the line list of a closing plt.plot(...) is no answer
        charts = self._figures.collect(self._namespace, converter)
        size = len(json.dumps([result, charts]))
        if size > self._start.report_bytes:
            raise ResultTooLargeError(f"result and charts take {size} bytes and may take {self._start.report_bytes}")
        return result, charts

    def _files(self) -> list[dict[str, str | int]]:
        return _manifest.manifest(self._start.output_dir, self._figures.paths)
