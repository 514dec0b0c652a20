"""The request's inputs as the script finds them: ``data``, or ``context`` with its tools."""

from __future__ import annotations

import json
import os
import re
from _thread import RLock, get_ident
from threading import main_thread

from hotcell_guard.answering import _parameters
from hotcell_guard.answering._ending import final_answer
from hotcell_guard.answering._result import class_name
from hotcell_guard.granting import _tables
from hotcell_guard.granting._awaiting import Failed
from hotcell_guard.granting._log import Log
from hotcell_guard.speaking import _json
from hotcell_guard.speaking._protocol import Channel, ProtocolFault, die
from hotcell_guard.speaking._start import check_variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, Final

    from hotcell_guard.speaking._start import Start

    _Dict = dict[str, Any]
else:
    _Dict = dict

__all__ = ["Context", "Record", "ToolError", "Tools", "Toolbox", "answers", "inputs", "reserved"]

_SECTIONS: Final = ("inputs", "steps", "config", "workflow")
_WORKFLOW: Final = ("id", "name")
_INSTEAD: Final = {
    "call_tool": "call_tool(name, {...})",
    "call": "call_tool(name, {...})",
    "mcp": "call_mcp(server, tool, {...})",
    "call_mcp": "call_mcp(server, tool, {...})",
    "logger": "context.log.info(text)",
    "get": "context.inputs.get(name)",
    "data": "context.inputs",
    "params": "context.inputs",
    "outputs": "context.steps[name]",
    "results": "context.steps[name]",
}
"""What steps of other engines look for, and where it is."""
_NO_TOOL_CHARACTER: Final = re.compile("[^A-Za-z0-9_]")


class ToolError(Exception):
    """A tool call was refused or failed; the message is the host's, and tool the name that was called."""

    def __init__(self, message: str = "", tool: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.tool = tool


class Record(_Dict):
    """A dict whose items can be read and set as attributes, too.

    A name that dict itself has, such as ``items``, is reached as an item only.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            known = ", ".join(map(repr, self)) or "nothing"
            raise AttributeError(f"there is no {name!r} here, only {known[:500]}") from None

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value

    def __delattr__(self, name: str) -> None:
        if name not in self:
            raise AttributeError(f"there is no {name!r} here")
        del self[name]


def _record(pairs: list[tuple[str, object]]) -> Record:
    return Record(_json.plain(pairs))


def _unicode(name: str) -> str:
    """Return an exact str that JSON can hold. Raises ValueError: half of a surrogate pair has no form there."""
    exact = str.__str__(name)
    try:
        exact.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("the name of a tool holds half of a surrogate pair; write the whole character") from None
    return exact


def _mcp_name(server: object, tool: object, known: tuple[str, ...]) -> str:
    """Return under which name a tool of an MCP server is registered: mcp__SERVER__TOOL, as written or with _ in places."""
    for part in (server, tool):
        if not isinstance(part, str):
            raise TypeError(f"the names of an MCP server and of its tool are str, not {class_name(type(part))}")
    server, tool = str.__str__(server), str.__str__(tool)
    exact = f"mcp__{server}__{tool}"
    return exact if exact in known else _NO_TOOL_CHARACTER.sub("_", exact)


class Tools:
    """The host's tools. It holds functions, and nothing of the guard's by name."""

    __slots__ = ("ToolError", "call", "call_mcp", "names")

    def __init__(self, names: tuple[str, ...], call: Callable[..., Any], call_mcp: Callable[..., Any]) -> None:
        self.names = names
        self.call = call
        self.call_mcp = call_mcp
        self.ToolError = ToolError

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __bool__(self) -> bool:
        return True  # without tools it is still there, and says so

    def __dir__(self) -> list[str]:
        return sorted((*self.__slots__, *self.names))

    def __repr__(self) -> str:
        return f"tools({', '.join(self.names) or 'none'})"

    def __getattr__(self, name: str) -> Any:
        if name in self.names:
            raise AttributeError(f"a tool is called by its name: context.tools.call({name!r}, {{...}})")
        known = ", ".join(map(repr, self.names))[:500]
        raise AttributeError(f"there is no tool {name!r} here; the tools are: {known}" if known else "this run has no tools")


class Context:
    """What the request gives the script: inputs, steps, config, the workflow, the tools and the log."""

    __slots__ = ("config", "inputs", "log", "steps", "tools", "workflow")

    def __init__(self, sections: Mapping[str, Record], tools: Tools) -> None:
        self.inputs = sections["inputs"]
        self.steps = sections["steps"]
        self.config = sections["config"]
        self.workflow = sections["workflow"]
        self.tools = tools
        self.log = Log()

    def __getattr__(self, name: str) -> Any:
        instead = f"write {_INSTEAD[name]}; " if name in _INSTEAD else ""
        raise AttributeError(f"context has no {name!r}; {instead}it has {', '.join(self.__slots__)}")

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self.__slots__:
            raise AttributeError(f"context keeps no {name!r}; use a variable, and return what the next step is to have")
        object.__setattr__(self, name, value)

    def __getitem__(self, name: str) -> Any:
        if name in _SECTIONS:
            return getattr(self, name)
        raise KeyError(f"context has no {name!r:.80}; it has {', '.join(_SECTIONS)}")

    def __repr__(self) -> str:
        return f"context({', '.join(f'{name}={getattr(self, name)!r}' for name in _SECTIONS)}, {self.tools!r})"


def reserved(start: Start) -> frozenset[str]:
    """Return the names that a script cannot bind at its own level: a session's later steps would not have them."""
    return frozenset((*start.tools, "final_answer", "print")) if start.inputs == "names" else frozenset()


def answers(start: Start) -> frozenset[type]:
    """Return the classes of what a tool answers, where a script has tools."""
    plain = (Record, dict, list, str, int, float, bool, type(None))
    return frozenset(plain) if start.inputs == "context" else frozenset()


def inputs(payload: bytes, start: Start, tools: Toolbox) -> dict[str, object]:
    """Return what the script finds of its own request: what the inputs become, and where it would lie. Raises ProtocolFault."""
    return {"__file__": os.path.join(start.output_dir, start.script_name), **_variables(payload, start, tools)}


def _variables(payload: bytes, start: Start, tools: Toolbox) -> dict[str, object]:
    match start.inputs:
        case "data":
            return {"data": _decode(payload, _json.plain)}
        case "context":
            context = _context(_decode(payload, _record), start, tools)
            made = {"call_tool": context.tools.call, "call_mcp": context.tools.call_mcp, "ToolError": ToolError}
            return {"context": context, **made}
        case "names":
            return _names(_decode(payload, _json.plain), start, tools)
    if payload:
        raise ProtocolFault("there are inputs, and rules.inputs says that the script has none")
    return {}


def _decode(payload: bytes, make: _json.Object) -> dict[str, Any]:
    try:
        value = _json.decode(payload or b"{}", make)
    except (ValueError, RecursionError) as error:
        raise ProtocolFault(f"inputs are not valid JSON: {type(error).__name__}") from error
    if not isinstance(value, dict):
        raise ProtocolFault("inputs are not a JSON object")
    return value


def _names(values: Mapping[str, object], start: Start, tools: Toolbox) -> dict[str, object]:
    """Return each input under its own name, each tool as a function, and what ends the run with an answer."""
    taken = set(start.variables())
    for name in values:
        check_variable(name, "input")
        if name in taken:
            raise ProtocolFault(f"input {name!r} has the name of a table, a tool or a preloaded module")
    frames = "pandas" in start.rules.imports
    variables = {name: _tables.of_plain(value) if frames else value for name, value in values.items()}
    functions = {name: _by_name(name, start.tool_parameters.get(name), tools.function()) for name in start.tools}
    return {**variables, **functions, "final_answer": final_answer, "ToolError": ToolError}


def _by_name(name: str, parameters: Sequence[str] | None, call: Callable[..., Any]) -> Callable[..., Any]:
    """Return a tool as a function: of its parameters by name, and of those that must be there also by place."""

    def tool(*values: object, **named: object) -> Any:
        if parameters is None and len(values) == 1 and isinstance(values[0], dict) and not named:
            return call(name, values[0])
        places = parameters or ()
        if len(values) > len(places):
            takes = f"at most {len(places)} by place: {', '.join(places)}" if places else "its parameters by name"
            raise TypeError(f"{name}() takes {takes}; write {name}(NAME=value)")
        placed = dict(zip(places, values))
        twice = sorted(placed.keys() & named.keys())
        if twice:
            raise TypeError(f"{name}() got {twice[0]!r} by place and by name")
        return call(name, {**placed, **named})

    tool.__name__ = tool.__qualname__ = name
    return tool


def _context(values: Mapping[str, object], start: Start, tools: Toolbox) -> Context:
    unknown = values.keys() - set(_SECTIONS)
    if unknown:
        raise ProtocolFault(f"inputs have unknown names {sorted(unknown)}; known are {', '.join(_SECTIONS)}")
    sections = {}
    for name in _SECTIONS:
        section = values.get(name, Record())
        if not isinstance(section, Record):
            raise ProtocolFault(f"{name} of the inputs is not a JSON object")
        sections[name] = section
    for name in _WORKFLOW:
        sections["workflow"].setdefault(name, None)
    return Context(sections, Tools(start.tools, tools.function(), tools.mcp_function()))


class Toolbox:
    """Makes the calls, one after the other, and only while a script runs."""

    def __init__(self, channel: Channel, start: Start) -> None:
        self._ask, self._is_writing = channel.asker(), channel.is_writing()
        self.allow(start)
        self._lock = RLock()
        self._calling = False
        self._open = False
        self._calls = 0
        self._later = False
        self._failed: list[Failed] = []

    def allow(self, start: Start) -> None:
        """Set how large calls may be, and whether anybody listens, before the first script."""
        self._limits = start.limits
        self._known = start.tools

    def begin(self, later: bool = False) -> None:
        """Accept calls; their numbers count from 1 again. later has failures raised where the answer is awaited."""
        with self._lock:
            self._open, self._calls, self._later = True, 0, later
            self._failed.clear()

    def settle(self) -> None:
        """Raise what has failed and nobody has awaited, at the end of the script."""
        for failed in self._failed:
            Failed.settle(failed)

    def end(self) -> None:
        """Wait for the answer of a call that another thread makes, and accept no more."""
        with self._lock:
            self._open = False

    def function(self) -> Callable[..., Any]:
        """Return what the script calls."""

        def call(name: str, params: object = None, **named: object) -> Any:
            """Call a tool of the host with parameters by name, and return its answer."""
            if named:
                given = ", ".join(f"{each!r}: ..." for each in named)[:200]
                raise TypeError(f"parameters are one dict: write call({name!r:.80}, {{{given}}})")
            return self._call(name, params)

        call.__qualname__ = "call"
        return call

    def mcp_function(self) -> Callable[..., Any]:
        """Return what the script calls for a tool of an MCP server, which the caller has registered as such."""

        def call_mcp(server: str, tool: str, params: object = None) -> Any:
            """Call a tool of an MCP server with parameters by name, and return its answer."""
            return self._call(_mcp_name(server, tool, self._known), params)

        call_mcp.__qualname__ = "call_mcp"
        return call_mcp

    def _call(self, name: object, params: object) -> Any:
        if not isinstance(name, str):
            raise TypeError(f"the name of a tool is a str, not {class_name(type(name))}")
        name = _unicode(name)
        if not self._known:
            raise ToolError("this run has no tools", name)
        values = _parameters.convert({} if params is None else params, self._limits.call_bytes)
        with self._lock:
            self._check_free(name)
            self._calling = True
            try:
                return self._exchange(name, values)
            finally:
                self._calling = False

    def _check_free(self, name: str) -> None:
        """Refuse a call that would come in the middle of a frame or of another call."""
        if self._calling or self._is_writing():
            raise ToolError("no tool can be called by what runs inside another call or while output is written", name)
        if not self._open:
            raise ToolError("no tool can be called after the end of the script", name)

    def _exchange(self, name: str, values: object) -> Any:
        call = {"id": self._calls + 1, "name": name, "params": values}
        payload = json.dumps(call, allow_nan=False, separators=(",", ":")).encode("ascii")
        if len(payload) > self._limits.call_bytes:
            raise ValueError(f"the call takes {len(payload)} bytes; the limit is {self._limits.call_bytes}")
        self._calls += 1
        try:
            answer = self._answer(self._ask(payload, self._limits.answer_bytes))
        except ProtocolFault as fault:
            # Not an exception for the script: the two sides no longer agree.
            die(f"protocol fault: {fault}")
        if answer["error"]:
            error = ToolError(answer["error"], name)
            if self._later and get_ident() == main_thread().ident:
                self._failed.append(Failed(error))
                return self._failed[-1]
            raise error
        return answer["result"]

    def _answer(self, payload: bytes) -> dict[str, Any]:
        try:
            answer = _json.decode(payload, _record)
        except (ValueError, RecursionError) as error:
            raise ProtocolFault(f"an answer is not valid JSON: {type(error).__name__}") from error
        if not isinstance(answer, dict) or answer.keys() != {"id", "result", "error"}:
            raise ProtocolFault("an answer has unknown or missing names")
        if answer["id"] != self._calls or not isinstance(answer["error"], str):
            raise ProtocolFault("an answer belongs to no call")
        return answer
