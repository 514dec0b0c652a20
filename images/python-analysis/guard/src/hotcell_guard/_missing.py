"""What a script looked for and did not find, and what is there: the end of an error's message.

Everything is told from what the script could print itself: the keys of its dicts, the
columns of its tables, its own names, the public names of a class, the files below DATA. No
code of the script's is asked: dicts and lists are read past what their classes say, and
of a name only exact texts and numbers are shown, each cut and few of them.
"""

from __future__ import annotations

import ast
import itertools
import os
import posixpath
import re
import sys

from hotcell_guard.answering import _errors, _nearby
from hotcell_guard.answering._nearby import listed, near
from hotcell_guard.granting._context import Context, Record, Tools
from hotcell_guard.granting._files import exact_path
from hotcell_guard.granting._ownership import instance_dict
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.vetting import _advice, _phrases, _rules
from hotcell_guard.vetting._gone import GONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import FrameType, TracebackType
    from typing import Any, Final

    from hotcell_guard.speaking._start import Start

    Adviser = Callable[["Missing", Any], str | None]

__all__ = ["Missing"]

_KEYS: Final = 200
"""Keys, columns or names looked at; more are not compared."""
_NONE: Final = "the value is None: a function without return, and an operation with inplace=True, give None"
_TABLES: Final = ("self", "obj", "data", "frame", "left")
"""Local variables in which pandas and patsy have the table that they look into."""
_BY_LABEL: Final = ("xs", "_xs", "_take_with_is_copy")
"""Methods of pandas that look a label up on the axis that they are told."""
_TABLE_NAMES: Final = ("data", "dataframe", "dataset", "df", "frame", "table")
"""What scripts call the one table that they expect."""
_READS: Final = re.compile(
    r"""\b(read_\w+|load\w*|imread|genfromtxt)\(|\bopen\([^,()]*(,\s*(mode\s*=\s*)?['"]r[bt]?['"][^()]*)?\)"""
)
_NO_BUNDLE: Final = "no bundle was given to this run (runner run --bundle NAME; `runner bundle ls` lists them)"
_SYSTEM: Final = ("/dev/", "/etc/", "/proc/", "/sys/", "/usr/", "/var/")
"""Where nobody has the data of a script."""
_NO_ARGUMENTS: Final = "a script gets no arguments"
_PARSED: Final = re.compile(r"\.parse_(?:known_|intermixed_)?args\(\s*\)")
_ARGUMENTS: Final = re.compile(r"\bargv\b")
_LONGEST_NAME: Final = 60
_PACKAGE: Final = re.compile(
    r"(?:[Mm]issing optional dependency '|No module named '|[Ii]mporting |[Pp]lease install |pip install |\A)([A-Za-z_]\w*)"
)


class Missing:
    """Knows where a script looked: its namespace and lines, and what the run was given."""

    def __init__(self, start: Start, namespace: Mapping[str, object], sources: Mapping[str, Sequence[str]]) -> None:
        self._start = start
        self._namespace = namespace
        self._sources = sources

    def advice(self, error: BaseException) -> str | None:
        """Return the end of the error's message, or None."""
        adviser = _ADVISERS.get(type(error))
        if adviser is None and issubclass(type(error), MemoryError):
            adviser = Missing._memory
        if adviser is None and type(error).__name__ in _EVALUATING and "pandas" in sys.modules:
            adviser = Missing._column_in_text
        return adviser(self, error) if adviser is not None else None

    # Keys and columns.

    def _key(self, error: KeyError) -> str | None:
        key = error.args[0] if error.args else None
        trace, frame = self._script_frame(error)
        if trace is None or frame is None:
            return None
        if trace.tb_next is None:
            return _nearby.keys(self._container(trace, frame), key)
        for held, axis in _tables_in(trace.tb_next):
            return _nearby.labels(held, key, axis)
        return None

    def _column_in_text(self, error: Any) -> str | None:
        """Of a name in text that pandas or patsy evaluates."""
        trace, _ = self._script_frame(error)
        name = re.search(r"name '([^'\n]{1,80})' is not defined", str(error))
        if trace is None or trace.tb_next is None or name is None:
            return None
        for held, _ in _tables_in(trace.tb_next):
            return _nearby.labels(held, name[1], None)
        return None

    def _script_frame(self, error: BaseException) -> tuple[TracebackType | None, FrameType | None]:
        """Return the innermost place in the script's own code."""
        trace, found = error.__traceback__, None
        while trace is not None:
            if trace.tb_frame.f_globals is self._namespace:
                found = trace
            trace = trace.tb_next
        return found, None if found is None else found.tb_frame

    def _container(self, trace: TracebackType, frame: FrameType) -> object:
        """Return what stands before the brackets or before ``.pop`` of the expression that failed."""
        expression = self._expression(trace, frame)
        if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
            return self._value(expression.func.value, frame) if expression.func.attr == "pop" else None
        return self._value(expression.value, frame) if isinstance(expression, ast.Subscript) else None

    def _expression(self, trace: TracebackType, frame: FrameType) -> ast.expr | None:
        """Return the expression that failed, where its text is short enough."""
        code = frame.f_code
        place = next(itertools.islice(code.co_positions(), trace.tb_lasti // 2, None), None)
        if place is None or None in place:
            return None
        first, last, begin, end = place
        lines = [line.encode() for line in self._sources.get(code.co_filename, ())[first - 1 : last]]  # type: ignore[operator]
        if not lines or sum(map(len, lines)) > _nearby.LONGEST_TEXT:
            return None
        lines[-1] = lines[-1][:end]
        lines[0] = lines[0][begin:]
        return ast.parse(b"(" + b"\n".join(lines) + b")", mode="eval").body

    def _value(self, expression: ast.expr, frame: FrameType) -> Any:
        """Return the value of a name, or of what is looked up in it without code of the script's."""
        match expression:
            case ast.Name(id=name):
                return frame.f_locals.get(name, self._namespace.get(name))
            case ast.Attribute(value=inner, attr=name):
                holder = self._value(inner, frame)
                if type(holder) is Context and name in Context.__slots__:
                    return getattr(holder, name)
                return dict.get(holder, name) if type(holder) is Record else None
            case ast.Subscript(value=inner, slice=index):
                holder = self._value(inner, frame)
                key = index.value if isinstance(index, ast.Constant) else self._value(index, frame)
                if type(holder) in (dict, Record) and type(key) in (str, int):
                    return dict.get(holder, key)
                if type(holder) is list and type(key) is int and -len(holder) <= key < len(holder):
                    return holder[key]
        return None

    # Arguments, of which a script gets none.

    def _index(self, error: IndexError) -> str | None:
        trace, frame = self._script_frame(error)
        if trace is None or frame is None or trace.tb_next is not None:
            return None
        match self._expression(trace, frame):
            case ast.Subscript(value=ast.Attribute(attr="argv") | ast.Name(id="argv")):
                return f"{_NO_ARGUMENTS}: put the values into the script"
        return None

    def _exit(self, error: SystemExit) -> str | None:
        """Of an end that argparse makes, or that a script makes itself when it has looked at its arguments."""
        trace, frame = self._script_frame(error)
        if trace is None or frame is None:
            return None
        lines = self._sources.get(frame.f_code.co_filename, ())
        line = lines[trace.tb_lineno - 1] if 0 < (trace.tb_lineno or 0) <= len(lines) else ""
        if trace.tb_next is not None and _PARSED.search(line[: _nearby.LONGEST_TEXT]):
            return f"{_NO_ARGUMENTS}: write them here, as in parse_args(['value', '--option', 'value'])"
        if any(_ARGUMENTS.search(each[: _nearby.LONGEST_TEXT]) for each in lines[:_KEYS]):
            return f"{_NO_ARGUMENTS}: put the values into the script"
        return None

    # Names and attributes.

    def _name(self, error: NameError) -> str | None:
        name = error.name
        if type(name) is not str:
            return None
        _, frame = self._script_frame(error)
        own = {*self._namespace, *(frame.f_locals if frame is not None else ())}
        table: Any = self._namespace.get("__builtins__")
        known = [each for each in (*own, *(table if type(table) is dict else ())) if type(each) is str]
        alike = near(name, [each for each in known if not each.startswith(("_", "("))][: 5 * _KEYS])
        if name in _phrases.NAMES:
            return self._not_imported(_phrases.NAMES[name])
        if name in _phrases.UNKNOWN:
            return _phrases.UNKNOWN[name]
        tables = [table.name for table in self._start.tables]
        if name in tables:
            files = listed(_nearby.files(self._start.bundle_dir))
            return f"the script has deleted this table; read it again from DATA, which has {files}"
        if alike and not (tables and name in _TABLE_NAMES):
            return f"maybe you meant {alike}"
        if name in sys.stdlib_module_names and "Import" in self._start.rules.syntax:
            return self._modules()
        return f"the tables are {listed(tables)}" if tables else self._no_bundle(name)

    def _modules(self) -> str:
        """Say which modules are there, where no import statement is."""
        return f"the modules that are there: {', '.join(sorted(each.name for each in self._start.preloaded))}"

    def _no_bundle(self, name: str) -> str | None:
        """Say that the run has no data, where that may be why a name is not there."""
        if self._start.bundle_dir:
            return None
        if name == "DATA":
            return _NO_BUNDLE
        # Elsewhere the names that a script looks for are those of its inputs.
        return f"if {name[:_LONGEST_NAME]!r} is a table: {_NO_BUNDLE}" if self._start.rules.inputs == "none" else None

    def _not_imported(self, statement: str) -> str:
        module, rules = statement.partition(" ")[0], self._start.rules
        if module in rules.imports and "Import" not in rules.syntax:
            return f"write 'import {statement}' first"
        name = next((each.name for each in self._start.preloaded if each.module == module), None)
        if name is None and "Import" in rules.syntax:
            return self._modules()
        return f"it is called {name} here" if name else _advice.instead_of_import(module, self._start.shown)

    def _attribute(self, error: AttributeError) -> str | None:
        name, obj = error.name, error.obj
        if type(name) is not str or name.startswith("_"):
            return None
        if obj is None:
            return _NONE if str(error).startswith("'NoneType'") else None
        if type(obj) in (Record, Tools):
            return None  # they have said it
        if type(obj) is dict and name in obj:
            return f"a dict's keys stand in brackets: write [{name!r}]"
        bases = mro(type(obj))
        for base in bases:
            gone = GONE.get((base.__name__, name)) if _is_pandas(base) else None
            if gone is not None:
                return gone
        own = [each for each in instance_dict(obj) or () if type(each) is str] if not _is_library(type(obj)) else []
        held = [each for base in bases for each in class_dict(base)]
        shown = [each for each in held if not each.startswith("_") and _rules.attribute_refusal(each, self._start.rules) is None]
        columns = _nearby.near_label(obj, name)
        alike = columns or near(name, [*own[:_KEYS], *shown[: 5 * _KEYS]])
        if columns or not _nearby.is_frame(obj):
            return f"maybe you meant {alike}" if alike else None
        meant = f"maybe you meant {alike}; " if alike else ""
        return meant + (_nearby.labels(obj, None, None) or "")

    # Files.

    def _file(self, error: OSError) -> str | None:
        """Of what is not there, or not allowed. Only what is below DATA and OUTPUT is looked at."""
        name = exact_path(error.filename)
        if not name or len(name) > _nearby.LONGEST_TEXT or "\0" in name or "open" in self._start.rules.builtins:
            return None
        writes = type(error) is PermissionError and ("written" in str(error.strerror) or "writes" in str(error.strerror))
        if writes:
            return f"write OUTPUT / {posixpath.basename(name)!r}"
        reads = type(error) is PermissionError or self._reads(error)
        said = [] if reads else [*self._no_directory(posixpath.dirname(name))]
        if not self._start.bundle_dir and not name.startswith(_SYSTEM):
            said.append(f"to read it: {_NO_BUNDLE}" if said else _NO_BUNDLE)
        return "; ".join([*self._of_bundle(name), *said]) or None

    def _reads(self, error: OSError) -> bool:
        """Tell whether the script's line that looked for a file is one that reads, as far as its text says so."""
        entries = _errors.teller(self._sources, self._namespace)(error)
        return bool(entries and _READS.search(entries[-1][3]))

    def _of_bundle(self, name: str) -> Iterator[str]:
        files = _nearby.files(self._start.bundle_dir)
        base = posixpath.basename(name)
        asked = name.removeprefix(f"{self._start.bundle_dir}/")
        same = [each for each in files if each == asked] or [each for each in files if posixpath.basename(each) == base]
        if same:
            yield f"it is below DATA: write DATA / {same[0]!r}"
            return
        bases = {posixpath.basename(each): each for each in reversed(files)}
        alike = [bases[each] for each in _nearby.matches(base, list(bases))]
        if alike:
            yield f"maybe you meant {' or '.join(f'DATA / {each!r}' for each in alike)}"
        if files:
            yield f"DATA has {listed(files)}"

    def _no_directory(self, directory: str) -> Iterator[str]:
        """Say how to make a directory that is to be written into."""
        output = self._start.output_dir
        directory = directory.removeprefix(output).strip("/")
        if directory and ".." not in directory and not os.path.isdir(f"{output}/{directory}"):
            bundle = self._start.bundle_dir
            if not bundle or not f"{directory}/".startswith(f"{bundle}/".lstrip("/")):
                yield f"to write there, first (OUTPUT / {directory!r}).mkdir(parents=True, exist_ok=True)"

    def _system(self, error: OSError) -> str | None:
        """Of the words that libraries have for it."""
        text = str(error)
        found = re.search(r"non-existent directory: '([^'\n]{1,200})'", text)
        if found is None:
            return next((said for begin, said in _phrases.TEXTS.items() if begin in text[:400]), None)
        if found[1].startswith("/") and not found[1].startswith(self._start.output_dir):
            return "write below OUTPUT: OUTPUT / 'name.csv'"
        return "; ".join(self._no_directory(found[1]))

    # Memory and packages.

    def _memory(self, _: MemoryError) -> str:
        most = self._start.limits.memory_bytes
        has = f"the run has {most >> 20} MiB of memory" if most else "the run's memory is bounded"
        return f"{has} and the code asked for more; work in parts, keep fewer columns, or use smaller types"

    def _package(self, error: ImportError) -> str | None:
        text = str(error)
        known = next((said for begin, said in _phrases.TEXTS.items() if begin in text[:400]), None)
        if known is not None:
            return known
        if not _nearby.INSTALLING.search(text) and "No module named" not in text and "not found" not in text:
            return None
        for name in _PACKAGE.findall(text[: _nearby.LONGEST_TEXT]):
            said = _advice.package(name, self._start.shown) or _advice.package(name.lower(), self._start.shown)
            if said is not None:
                return f"{name}: {said}"
        return None


def _tables_in(trace: TracebackType | None) -> Iterator[tuple[object, int | None]]:
    """Yield the tables that a library looked into, from the innermost, with the axis of a look-up by label."""
    frames = []
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    for frame in reversed(frames):
        axis = frame.f_locals.get("axis") if frame.f_code.co_name in _BY_LABEL else None
        for name in _TABLES:
            held = frame.f_locals.get(name)
            if _nearby.is_table(held):
                yield held, axis if type(axis) is int else None


def _is_pandas(kind: type) -> bool:
    home = class_dict(kind).get("__module__")
    return type(home) is str and home.startswith("pandas.")


def _is_library(kind: type) -> bool:
    home = class_dict(kind).get("__module__")
    return type(home) is str and home != "__main__"


_EVALUATING: Final = frozenset(("UndefinedVariableError", "PatsyError"))
_ADVISERS: Final[Mapping[type, Adviser]] = {
    KeyError: Missing._key,
    IndexError: Missing._index,
    SystemExit: Missing._exit,
    NameError: Missing._name,
    AttributeError: Missing._attribute,
    FileNotFoundError: Missing._file,
    PermissionError: Missing._file,
    OSError: Missing._system,
    ImportError: Missing._package,
    ModuleNotFoundError: Missing._package,
}
"""By the exact class: what a script's own class says is its own affair."""
