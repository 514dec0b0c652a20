"""Runs the saved code of a run again on a researcher's own machine.

    python3 -P -m hotcell_guard.replicate --rules FILE [--bundle DIR] [--output DIR]
                                          [--inputs FILE] [--report FILE] run_<time>_<id>.py

``runner replicate --local`` calls it with what it knows of the run, and compares.

The same guard vets the code and runs it in the same namespace, with the packages of
this Python. There is no container: no limits, no other process's protection. Rules
come from the caller alone, as ``runner policy show NAME --guard-rules`` prints them;
nothing in the script's file decides how it is vetted, and nothing that the caller
gives can switch the guard off. Exit codes are those of ``runner run``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from hotcell_guard._replica import LARGE, Bundle, ReplicaError, Rules, Script, read
from hotcell_guard.speaking import _protocol, _start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import IO, Any, Final

__all__ = ["main"]

_NOTICE: Final = "replicate: there is no container here; the guard alone stands between this script and your machine"
_EXIT: Final = {"completed": 0, "raised": 1, "rejected": 3, "limit": 7}
_EXIT_USAGE: Final = 2
_EXIT_INTERNAL: Final = 125
_ENDLESS: Final = 1 << 60
_LEAST: Final = (3, 13, 5)
"""The image's. The guard reaches into the interpreter: 3.13.0 crashes where it does."""

_ENVIRONMENT: Final = {
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "SOURCE_DATE_EPOCH": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUTF8": "1",
    "MPLBACKEND": "agg",
}
"""As in the sandbox; sets and dates come out as they did."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Replicate one run and return the exit code."""
    if not _LEAST <= sys.version_info < (3, 14):
        print("replicate: the guard needs Python 3.13, from 3.13.5 on, as the sandbox's image has it", file=sys.stderr)
        return _EXIT_USAGE
    if not sys.flags.safe_path:
        # A json.py beside the script would be imported before anything was vetted.
        print("replicate: run it as python3 -P -m hotcell_guard.replicate: without -P, "
              "Python imports from the working directory", file=sys.stderr)
        return _EXIT_USAGE
    options = _parse(arguments)
    print(_NOTICE, file=sys.stderr)
    try:
        start, inputs, code = _prepare(options)
        # Exclusively, and before the run: what it is called must not be what the run can reach.
        with open(options.report or os.devnull, "x" if options.report else "w", encoding="utf-8") as file:
            start["output_dir"] = str(_output(options.output or Path(options.script).stem, str(start["bundle_dir"])))
            streams: dict[bytes, list[str]] = {b"O": [], b"E": []}
            report = _run(start, inputs, code, streams if options.report else {})
            said = {"stdout": "".join(streams[b"O"]), "stderr": "".join(streams[b"E"])} if report else {}
            file.write(json.dumps(report | said, indent=2) + "\n")
    except (ReplicaError, OSError) as error:
        print(f"replicate: {error}", file=sys.stderr)
        return _EXIT_USAGE
    if report:
        _show(report)
    return _EXIT.get(str(report.get("outcome")), _EXIT_INTERNAL)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python3 -m hotcell_guard.replicate",
        description="Runs the saved code of a run again, without a container.",
    )
    rules = "the guard's rules of the run's policy: what runner policy show NAME --guard-rules prints"
    parser.add_argument("--rules", metavar="FILE", required=True, help=rules)
    parser.add_argument("--bundle", metavar="DIR", help="the bundle that the run had")
    parser.add_argument("--output", metavar="DIR", help="made anew; by default named after the script, here")
    parser.add_argument("--inputs", metavar="FILE", help="the request's inputs, a JSON object")
    parser.add_argument("--report", metavar="FILE", help="write the guard's report and the streams, as JSON, to this new file")
    for stream in ("stdout", "stderr"):
        parser.add_argument(f"--{stream}-bytes", metavar="BYTES", type=int, default=_ENDLESS, help=f"cut {stream} after so many")
    parser.add_argument("--seed", type=int, default=0, help="the run's seed, provenance.seed of its record (default: drawn anew)")
    parser.add_argument("script", help="run_<time>_<id>.py of a record")
    return parser.parse_args(arguments)


def _prepare(options: argparse.Namespace) -> tuple[dict[str, object], bytes, bytes]:
    """Check what was given and return start frame, inputs and code."""
    rules = Rules(Path(options.rules))
    script = Script(Path(options.script))
    rules.check(script)
    if script.bundle and not options.bundle:
        raise ReplicaError(f"the run had the bundle {script.bundle}: give its directory with --bundle")
    bundle = Bundle(Path(options.bundle), script.bundle) if options.bundle else None
    inputs = read(Path(options.inputs)) if options.inputs else b""
    start: dict[str, object] = {
        "protocol": _protocol.PROTOCOL,
        "mode": "run",
        "run_id": script.fields["run"],
        "script_name": script.name,
        "bundle_dir": str(bundle.directory) if bundle else "",
        "output_dir": "/output",  # made once all else is checked
        "tables": bundle.tables if bundle else [],
        "tools": [],
        "tool_parameters": {},
        "seccomp": None,
        "required_controls": [],
        "seed": options.seed,
        "rules": rules.value,
        "limits": _limits(len(script.code), options.stdout_bytes, options.stderr_bytes),
    }
    _check(start)
    return start, inputs, script.code


def _check(start: Mapping[str, object]) -> None:
    """Refuse what the guard would refuse, and a start without it."""
    try:
        decoded = _start.decode(json.dumps(start).encode())
    except _protocol.ProtocolFault as fault:
        raise ReplicaError(f"the rules, or the bundle's tables, are not for this guard: {fault}") from fault
    if decoded.unguarded:
        raise ReplicaError("the rules ask for no guard, and without a container the guard is all there is")


def _limits(code_bytes: int, stdout_bytes: int, stderr_bytes: int) -> dict[str, int]:
    sizes = dict.fromkeys(("report_bytes", "input_bytes", "call_bytes", "answer_bytes"), LARGE)
    streams = {"stdout_bytes": stdout_bytes, "stderr_bytes": stderr_bytes}
    return {"code_bytes": max(code_bytes, 1), **sizes, **streams, "operations": 0, "loop_iterations": 0, "memory_bytes": 0}


def _output(name: str, bundle: str) -> Path:
    """Make the directory. Whatever is there already, also a link, may be another's."""
    path = Path(name)
    directory = path.parent.resolve(strict=True) / path.name
    if bundle and directory.is_relative_to(bundle):
        raise ReplicaError(f"{directory} would be in the bundle: name a directory elsewhere with --output")
    try:
        directory.mkdir(mode=0o700)
    except FileExistsError as error:
        raise ReplicaError(f"{directory} exists: name a new directory with --output") from error
    return directory


def _run(start: Mapping[str, object], inputs: bytes, code: bytes, streams: Mapping[bytes, list[str]]) -> dict[str, Any]:
    """Run the guard as a host does, pass its streams on and return its report, or {}. streams gets what each said."""
    request = _protocol.frame(b"S", json.dumps(start).encode()) + _protocol.frame(b"I", inputs)
    with tempfile.TemporaryDirectory(prefix="replicate-") as scratch, tempfile.TemporaryFile() as stdin:
        stdin.write(request + _protocol.frame(b"C", code))
        stdin.seek(0)
        guard = subprocess.Popen(
            [sys.executable, "-sBP", "-m", "hotcell_guard"],
            stdin=stdin,
            stdout=subprocess.PIPE,
            env=_environment(scratch),
        )
        with guard:
            assert guard.stdout is not None
            report = _listen(guard.stdout, streams)
    if not report:
        print(f"replicate: the guard ended without a report, with exit code {guard.returncode}", file=sys.stderr)
    return report


def _environment(scratch: str) -> dict[str, str]:
    own = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    source = str(Path(__file__).parent.parent)
    places = {"HOME": scratch, "TMPDIR": scratch, "MPLCONFIGDIR": f"{scratch}/matplotlib", "PYTHONPATH": source}
    return own | _ENVIRONMENT | places


def _listen(stream: IO[bytes], streams: Mapping[bytes, list[str]]) -> dict[str, Any]:
    """Pass stdout and stderr on until the report comes. An empty dict: it never came."""
    while len(header := stream.read(5)) == 5:
        payload = stream.read(int.from_bytes(header[1:], "big"))
        if header[:1] in streams:
            streams[header[:1]].append(payload.decode("utf-8", "replace"))
        match header[:1]:
            case b"O":
                sys.stdout.write(payload.decode("utf-8", "replace"))
                sys.stdout.flush()
            case b"E":
                sys.stderr.write(payload.decode("utf-8", "replace"))
                sys.stderr.flush()
            case b"R":
                report: dict[str, Any] = json.loads(payload)
                return report
    return {}


def _show(report: Mapping[str, Any]) -> None:
    """Say on stderr how it ended; the script's own words were on stdout."""
    for found in report["violations"]:
        print(f"{found['line']}:{found['column']}: {found['rule']}: {found['message']}", file=sys.stderr)
    if report["error"]:
        print(report["error"]["traceback"] or report["error"]["message"], file=sys.stderr)
    if report["result"] is not None:
        print(f"replicate: result: {json.dumps(report['result'])}", file=sys.stderr)
    files = ", ".join(file["path"] for file in report["files"]) or "none"
    print(f"replicate: {report['outcome']}; files: {files}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
