"""The start frame: strict JSON, exact names, exact types."""

from __future__ import annotations

import binascii
import json
import keyword
import re

from hotcell_guard.speaking import _checks, _json
from hotcell_guard.speaking._protocol import MAX_QUESTION, PROTOCOL, ProtocolFault
from hotcell_guard.vetting import _floor, _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

__all__ = ["Limits", "Preload", "Prepare", "Start", "Table", "check_variable", "decode", "decode_prepare"]

_MAX_BYTES: Final = 64 << 20
"""Of the largest frames, the report and the inputs."""

_MAX_INSTRUCTIONS: Final = 4096
"""Of one seccomp filter: BPF_MAXINSNS of the kernel."""

_INSTRUCTION_BYTES: Final = 8
"""sizeof(struct sock_filter)."""

_MODES: Final = frozenset(("run", "check", "session"))
_INPUTS: Final = frozenset(("none", "data", "context", "names"))
_ANSWERS: Final = frozenset(("stdout", "result", "chart", "last"))
_CONTROLS: Final = frozenset(("landlock",))
"""What the lock can bring besides its filter: a control that is required, and that it does not know, is a fault."""

_START: Final[Mapping[str, type]] = {
    "protocol": int,
    "mode": str,
    "run_id": str,
    "script_name": str,
    "bundle_dir": str,
    "output_dir": str,
    "tables": list,
    "tools": list,
    "tool_parameters": dict,
    "seccomp": str,
    "required_controls": list,
    "seed": int,
    "rules": dict,
    "limits": dict,
}
_PREPARE: Final[Mapping[str, type]] = {"start": dict, "container_seccomp": str}
_GO: Final[Mapping[str, type]] = {
    "mode": str,
    "run_id": str,
    "script_name": str,
    "tools": list,
    "tool_parameters": dict,
    "seed": int,
    "limits": dict,
}
"""What of start is one run's, for a guard that was prepared without it."""

_TABLE: Final[Mapping[str, type]] = {"name": str, "path": str}
_MODULE: Final[Mapping[str, type]] = {"name": str, "module": str}
_RULES: Final[Mapping[str, type]] = {
    "imports": list,
    "denied_builtins": list,
    "denied_attributes": list,
    "denied_syntax": list,
    "max_figures": int,
    "preloaded": list,
    "inputs": str,
    "answer": str,
}
_OPTIONAL: Final[Mapping[str, type]] = {"unguarded": bool, "endings": list, "left_out": list}
"""What may be missing: then the guard guards, and says nothing of files that cannot leave and of what the request left out."""
_ENDING: Final = re.compile(r"\.[a-z0-9]{1,16}\Z")

_LIMITS: Final[Mapping[str, int]] = {
    "code_bytes": 1,
    "stdout_bytes": 1,
    "stderr_bytes": 1,
    "report_bytes": 1,
    "input_bytes": 0,
    "call_bytes": 0,
    "answer_bytes": 0,
    "operations": 0,
    "loop_iterations": 0,
    "memory_bytes": 0,
}
"""Names and the least that each may be."""


class Table:
    """One prepared table of the bundle, which becomes a DataFrame called name."""

    __slots__ = ("name", "path")

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.name = fields["name"]
        self.path = fields["path"]


class Preload:
    """One module, or one member of a module, that the script finds under name without an import."""

    __slots__ = ("member", "module", "name", "plain")

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.name = fields["name"]
        self.module, colon, self.member = fields["module"].partition(":")
        self.plain = not colon


class Limits:
    """Sizes in bytes; operations and loop_iterations are 0 when they are not counted, memory_bytes where nobody says."""

    __slots__ = tuple(_LIMITS)

    code_bytes: int
    stdout_bytes: int
    stderr_bytes: int
    report_bytes: int
    input_bytes: int
    call_bytes: int
    answer_bytes: int
    operations: int
    loop_iterations: int
    memory_bytes: int

    def __init__(self, value: object) -> None:
        fields = _checks.fields(value, dict.fromkeys(_LIMITS, int), "limits")
        for name, lowest in _LIMITS.items():
            highest = _MAX_BYTES if name in ("report_bytes", "input_bytes") else 1 << 62
            setattr(self, name, _checks.number(fields[name], f"limits.{name}", lowest, highest))

    def following(self) -> dict[bytes, int]:
        """Return what may come between two scripts of a session, each kind with its limit."""
        return {b"C": self.code_bytes, b"Q": min(self.code_bytes, MAX_QUESTION)}


class Start:
    """What the host asks for."""

    __slots__ = (
        "answer",
        "bundle_dir",
        "endings",
        "inputs",
        "limits",
        "max_figures",
        "mode",
        "output_dir",
        "preloaded",
        "required_controls",
        "rules",
        "run_id",
        "script_name",
        "seccomp",
        "seed",
        "shown",
        "tables",
        "tool_parameters",
        "tools",
        "unguarded",
    )

    def __init__(self, fields: Mapping[str, object]) -> None:
        rules = _checks.fields(fields["rules"], _rules_shape(fields["rules"]), "rules")
        self.unguarded = rules.get("unguarded", False) is True
        self.mode = _checks.choice(fields["mode"], _MODES, "start.mode")
        self.run_id = str(fields["run_id"])
        self.script_name = _script_name(str(fields["script_name"]))
        self.bundle_dir = _directory(str(fields["bundle_dir"]), "bundle_dir", optional=True)
        self.output_dir = _directory(str(fields["output_dir"]), "output_dir", optional=False)
        self.tables = _tables(fields["tables"])
        self.tools = _tools(fields["tools"])
        self.tool_parameters = _tool_parameters(fields["tool_parameters"], self.tools)
        self.seccomp = _program(str(fields["seccomp"]))
        self.required_controls = _controls(fields["required_controls"])
        self.seed = _seed(fields["seed"])
        self.max_figures = _checks.number(rules["max_figures"], "rules.max_figures", 0, 1 << 62)
        self.endings = _endings(rules.get("endings", []))
        self.preloaded = _preloaded(rules["preloaded"])
        self.inputs = _checks.choice(rules["inputs"], _INPUTS, "rules.inputs")
        self.answer = _checks.choice(rules["answer"], _ANSWERS, "rules.answer")
        self.rules = _rules.Rules(
            imports=frozenset(_checks.names(rules["imports"], "rules.imports")),
            builtins=frozenset(_checks.names(rules["denied_builtins"], "rules.denied_builtins")),
            attributes=frozenset(_checks.names(rules["denied_attributes"], "rules.denied_attributes")),
            syntax=frozenset(_checks.names(rules["denied_syntax"], "rules.denied_syntax")),
            inputs=self.inputs,
            left_out=frozenset(_checks.names(rules.get("left_out", []), "rules.left_out")),
        )
        # What a script may hold, though it may not import it.
        preloaded = frozenset(module.module for module in self.preloaded)
        own = self.rules
        self.shown = _rules.Rules(
            own.imports | preloaded, own.builtins, own.attributes, own.syntax, left_out=own.left_out
        )
        self.limits = Limits(fields["limits"])
        self._check_together()

    def go(self, payload: bytes) -> None:
        """Take in what is one run's, for which the guard has been prepared. Raises ProtocolFault."""
        fields = _checks.fields(_value(payload, "go"), _GO, "go")
        limits = Limits(fields["limits"])
        for budget in ("operations", "loop_iterations"):
            if bool(getattr(limits, budget)) != bool(getattr(self.limits, budget)):
                raise ProtocolFault(f"go has limits.{budget}, for which this guard is not prepared, or lacks it")
        tools, seed = _tools(fields["tools"]), _seed(fields["seed"])
        if self.seed not in (0, seed) or self.tools not in ((), tools):  # what was drawn, or bound, would stay
            raise ProtocolFault("go has another seed or other tools than this guard is prepared with")
        self.mode = _checks.choice(fields["mode"], _MODES, "go.mode")
        self.run_id = str(fields["run_id"])
        self.script_name = _script_name(str(fields["script_name"]))
        self.tools, self.seed = tools, seed
        self.tool_parameters = _tool_parameters(fields["tool_parameters"], self.tools)
        self.limits = limits
        self._check_together()

    def own(self) -> bytes:
        """Encode what go takes in, as it is."""
        limits = {name: getattr(self.limits, name) for name in _LIMITS}
        fields = {"mode": self.mode, "run_id": self.run_id, "script_name": self.script_name, "seed": self.seed}
        tools = {"tools": list(self.tools), "tool_parameters": self.tool_parameters}
        return json.dumps({**fields, **tools, "limits": limits}).encode("ascii")

    def _check_together(self) -> None:
        if len(set(self.variables())) != len(self.variables()):
            raise ProtocolFault("two tables, preloaded modules or tools have one name")
        if self.tables and not self.bundle_dir:
            raise ProtocolFault("start names tables but no bundle_dir")
        if self.unguarded and self.mode != "run":
            raise ProtocolFault("rules.unguarded is for one run, not for a check or a session")
        if self.required_controls and not self.seccomp:
            raise ProtocolFault("start requires controls of the lock and has no filter, without which there is no lock")
        if self.tools and self.inputs not in ("context", "names"):
            raise ProtocolFault("start names tools but rules.inputs gives the script nothing to call them by")

    def variables(self) -> list[str]:
        """Return the names that the run binds for the script, but for those that every run has."""
        names = [table.name for table in self.tables] + [module.name for module in self.preloaded]
        if self.inputs == "names":
            for tool in self.tools:
                check_variable(tool, "tool")
            names += self.tools
        return names


class Prepare:
    """What every run has that comes to this guard: the rest comes with its go frame."""

    __slots__ = ("container_seccomp", "start")

    def __init__(self, payload: bytes) -> None:
        fields = _checks.fields(_value(payload, "prepare"), _PREPARE, "prepare")
        self.start = _start(fields["start"])
        self.container_seccomp = _program(str(fields["container_seccomp"]))
        """Stage 1, which what is forked loads by itself."""


def decode_prepare(payload: bytes) -> Prepare:
    """Decode the prepare frame. Raises ProtocolFault on any deviation."""
    return Prepare(payload)


def decode(payload: bytes) -> Start:
    """Decode the start frame. Raises ProtocolFault on any deviation."""
    return _start(_value(payload, "start"))


def _value(payload: bytes, where: str) -> object:
    try:
        return _json.decode(payload, floats=False)
    except (ValueError, RecursionError) as error:
        raise ProtocolFault(f"{where} is not valid JSON: {type(error).__name__}") from error


def _start(value: object) -> Start:
    fields = _checks.fields(value, _START, "start")
    if fields["protocol"] != PROTOCOL:
        raise ProtocolFault(f"start has protocol {fields['protocol']}, this guard speaks {PROTOCOL}")
    return Start(fields)


def _rules_shape(rules: object) -> Mapping[str, type]:
    given = rules if isinstance(rules, dict) else {}
    return {**_RULES, **{name: kind for name, kind in _OPTIONAL.items() if name in given}}


def _endings(value: object) -> tuple[str, ...]:
    endings = tuple(value) if isinstance(value, list) else ()
    for ending in endings:
        if not isinstance(ending, str) or not _ENDING.match(ending):
            raise ProtocolFault(f"rules.endings holds {ending!r}, which is no ending such as .csv")
    return endings


def _tools(value: object) -> tuple[str, ...]:
    tools = tuple(value) if isinstance(value, list) else ()
    if not all(isinstance(tool, str) and _checks.TOOL.match(tool) for tool in tools) or len(set(tools)) != len(tools):
        raise ProtocolFault("start.tools holds a name twice, or what is no name of a tool")
    return tools


def _tool_parameters(value: object, tools: tuple[str, ...]) -> dict[str, list[str]]:
    """Check the names of what each tool takes by its place."""
    parameters = value if isinstance(value, dict) else {}
    if not parameters.keys() <= set(tools):
        raise ProtocolFault("start.tool_parameters names a tool that is not there")
    return {tool: _texts(names) for tool, names in parameters.items()}


def _texts(value: object) -> list[str]:
    texts = value if isinstance(value, list) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise ProtocolFault("start.tool_parameters holds what is no list of names")
    return texts


def _controls(value: object) -> frozenset[str]:
    """Check what must be in force before the script begins."""
    names = _checks.names(value, "start.required_controls")
    unknown = sorted(set(names) - _CONTROLS)
    if unknown:
        raise ProtocolFault(f"start requires {unknown[0]}, unknown to this guard: rebuild the image (`runner image build`)")
    if len(set(names)) != len(names):
        raise ProtocolFault("start.required_controls holds a name twice")
    return frozenset(names)


def _program(text: str) -> bytes:
    """Decode the stage-2 filter; b"" for none."""
    try:
        program = binascii.a2b_base64(text, strict_mode=True)
    except ValueError as error:
        raise ProtocolFault("start.seccomp is not base64") from error
    if len(program) % _INSTRUCTION_BYTES or len(program) > _MAX_INSTRUCTIONS * _INSTRUCTION_BYTES:
        raise ProtocolFault(f"start.seccomp is no array of at most {_MAX_INSTRUCTIONS} instructions")
    return program


def _seed(value: object) -> int:
    return _checks.number(value, "seed", 0, (1 << 48) - 1)


def _script_name(name: str) -> str:
    if not name or not name.isprintable():
        raise ProtocolFault("start.script_name is empty or not printable")
    return name


def _directory(path: str, where: str, optional: bool) -> str:
    if optional and path == "":
        return path
    if not path.startswith("/") or not _clean(path[1:]):
        raise ProtocolFault(f"start.{where} is not a clean absolute path")
    return path


def _clean(path: str) -> bool:
    return "\0" not in path and not {"", ".", ".."} & set(path.split("/"))


def _entries(value: object, shape: Mapping[str, type], where: str) -> list[dict[str, str]]:
    entries = value if isinstance(value, list) else []
    return [{key: str(field) for key, field in _checks.fields(entry, shape, where).items()} for entry in entries]


def _tables(value: object) -> list[Table]:
    tables = [Table(fields) for fields in _entries(value, _TABLE, "table")]
    for table in tables:
        check_variable(table.name, "table")
        if not _clean(table.path):
            raise ProtocolFault(f"path of table {table.name!r} is not clean and relative")
    return tables


def _preloaded(value: object) -> list[Preload]:
    modules = [Preload(fields) for fields in _entries(value, _MODULE, "preloaded")]
    for module in modules:
        check_variable(module.name, "module")
        member = module.member.isidentifier() and not module.member.startswith("_")
        if not _checks.DOTTED.match(module.module) or not (member or module.plain):
            raise ProtocolFault(f"preloaded module {module.module!r} is not a dotted name")
        if _floor.import_is_floor(module.module):
            raise ProtocolFault(f"preloaded module {module.module!r} is one that no policy can allow")
    return modules


def check_variable(name: str, kind: str) -> None:
    """Raise ProtocolFault for what no variable of a script can be called."""
    usable = name.isidentifier() and name.isascii() and not keyword.iskeyword(name) and not name.startswith("_")
    if not usable or name in _rules.RESERVED_NAMES:
        raise ProtocolFault(f"{kind} name {name!r} cannot be a variable of the script")
