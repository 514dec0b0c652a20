"""``eval``, ``exec`` and ``compile`` for the script: text that is checked as the script was, and sees what it sees.

It runs in globals of its own, which hold copies of the names that it is given: what is checked
of the script rests on which names that binds, and on nobody else using what it keeps there.
What the text has bound is then given to the dict that the script has named, or to the script
itself where it binds no such name.
"""

from __future__ import annotations

import sys

from hotcell_guard.granting._namespace import Names, SimpleNamespace
from hotcell_guard.vetting import _rules, _vet
from hotcell_guard.vetting._violations import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from types import FrameType
    from typing import Any, Final, NoReturn

    from hotcell_guard.granting._attributes import Attributes
    from hotcell_guard.vetting._code import Code

    Scope = dict[str, Any]

__all__ = ["Evaluator"]

_BUILTINS: Final = "__builtins__"
_MODES: Final = ("eval", "exec", "single")
_SUPER: Final = "super"
"""What is rewritten rests on this name: no text is given another meaning of it."""
_NOBODY: Final = object()
"""Stands for whoever a text binds names for, where that is another text: which was checked for those that it binds."""


class _Compiled:
    """What ``compile`` gives: the text, which is checked again for the names that it then sees."""

    __slots__ = ("_mode", "_text")

    def __init__(self, text: str, mode: str) -> None:
        self._text, self._mode = str.__str__(text), str.__str__(mode)  # a script may call the class

    def parts(self) -> tuple[str, str]:
        """Return the text and the mode."""
        return self._text, self._mode


class Evaluator:
    """The three functions of one run. home is the script's globals.

    bound are the names that the scripts so far can bind in home. It is no function: what a function holds leads to the
    session, and from there to the channel.
    """

    def __init__(self, rules: _rules.Rules, home: Scope, attributes: Attributes, bound: set[str]) -> None:
        self._rules = rules
        self._table = attributes.builtins
        self._home = home
        self._helpers = attributes.helpers
        self._bound = bound
        attributes.caller, attributes.example = self.caller, self.example
        self._all: dict[str, object] = {}  # stands for all builtins, in a dict that a text has run in

    def install(self, table: dict[str, object]) -> None:
        """Put the functions that no rule denies into the script's builtins."""
        table.update({name: each for name, each in self.functions().items() if name not in self._rules.builtins})

    def functions(self) -> dict[str, object]:
        """Return the functions by their names. What they hold is in their closures."""

        def eval(source: Any, globals: Any = None, locals: Any = None, /) -> Any:  # noqa: A001, A002
            """Evaluate an expression, checked as the script is."""
            text, mode = _text(source, "eval")
            given, target = self._given(globals, locals, sys._getframe(1))
            return self._run(text.strip() if mode == "eval" else text, mode, given, target)

        def exec(source: Any, globals: Any = None, locals: Any = None, /) -> None:  # noqa: A001, A002
            """Run statements, checked as the script is."""
            text, mode = _text(source, "exec")
            given, target = self._given(globals, locals, sys._getframe(1))
            self._run(text, mode, given, target)

        def compile(  # noqa: A001
            source: Any, filename: Any, mode: str, flags: int = 0, dont_inherit: bool = False, optimize: int = -1
        ) -> _Compiled:
            """Check text for eval() or exec()."""
            text, _ = _text(source, "exec")
            exact = str.__str__(mode)
            if exact not in _MODES:
                raise ValueError("compile() mode must be 'exec', 'eval' or 'single'")
            self._code(text, exact, frozenset())
            return _Compiled(text, exact)

        return {"eval": eval, "exec": exec, "compile": compile}

    def caller(self, stmt: str, setup: str, names: Any) -> Callable[[], object]:
        """Return what runs a statement, after its setup has been run: for timeit."""
        scope = dict(_items(names)) if names is not None else {}
        self._run(str.__str__(setup), "exec", scope, scope)
        lines = "\n".join(f"    {line}" for line in str.__str__(stmt).split("\n"))
        self._run(f"def _timed():\n{lines}\n    pass", "exec", scope, scope)
        timed: Callable[[], object] = scope["_timed"]
        return timed

    def example(self, text: str, names: Scope) -> None:
        """Run text as somebody types it, and print its value: for doctest. What it binds is put into names."""
        value = self._run(text, "single", _items(names), names, typed=True)
        if value is not None:
            print(repr(value))

    def _given(self, names: Any, own: Any, frame: FrameType) -> tuple[Scope, Any]:
        """Return the names that a text sees, and the dict that it binds its own in: None stands for the script."""
        if names is None and own is None:
            mine = frame.f_globals if frame.f_globals.get(_BUILTINS) is self._table else self._home
            found = {name: value for name, value in mine.items() if _is_name(name)}
            if mine is frame.f_globals and frame.f_code.co_name != "<module>":
                found |= {name: value for name, value in frame.f_locals.items() if _is_name(name)}
                return found, {}  # as in Python, what it binds is nobody's
            return found, None if mine is self._home else _NOBODY
        target = names if own is None else own
        if type(target) is Names:  # a copy of the script's variables: globals(), or locals() of a function
            target = None if own is None or frame.f_code.co_name == "<module>" else {}
        allowed = _only(names, self._all)
        found = {} if allowed is None else dict(allowed)
        if names is None:
            found |= {name: value for name, value in self._home.items() if _is_name(name)}
        for each in (names, own):
            if each is not None:
                found |= _items(each)
        if allowed is not None:
            found[_BUILTINS] = allowed
        elif type(names) is dict:
            names.setdefault(_BUILTINS, self._all)
        return found, target

    def _run(self, text: str, mode: str, given: Scope, target: Any, *, typed: bool = False) -> Any:
        restricted = given.pop(_BUILTINS, None)
        if _SUPER in given:
            raise TypeError(f"{_SUPER!r} is a function of this run and stays one; give it to the text by another name")
        code, used = self._code(text, mode, frozenset(given))
        if type(restricted) is dict:
            missing = sorted(used - given.keys() - restricted.keys())
            if missing:
                raise NameError(f"name {missing[0]!r} is not defined", name=missing[0])
        scope = {**given, "__name__": "__main__", _BUILTINS: self._table}
        try:
            value, _ = code.run(scope, _never)
        finally:
            self._keep(given, scope, target)
        return value if typed or mode == "eval" else None

    def _code(self, text: str, mode: str, known: frozenset[str]) -> tuple[Code, frozenset[str]]:
        try:
            return _vet.vet_text(text, self._rules, known, self._helpers, expression=mode == "eval")
        except Refused as refused:
            raise PermissionError("; ".join(each.message for each in refused.violations[:4])) from None

    def _keep(self, given: Scope, scope: Scope, target: Any) -> None:
        """Give what a text has bound to whom it is for."""
        changed = {name: value for name, value in scope.items() if _is_name(name) and given.get(name, scope) is not value}
        gone = given.keys() - scope.keys()
        if target is _NOBODY:
            if changed or gone:
                name = min(changed.keys() | gone)
                raise TypeError(f"exec() in a text cannot set or delete {name!r} there; give it a dict: exec(text, names)")
            return
        if target is None:
            taken = sorted(changed.keys() & (self._bound | _rules.RESERVED_NAMES))
            if taken:
                raise TypeError(
                    f"exec() cannot set {taken[0]!r}, which the script sets itself; keep it in a dict: exec(text, names)"
                )
            self._home.update(changed)
            return
        for name, value in changed.items():
            target[name] = value
        for name in gone:
            if name in target:
                del target[name]


def _only(names: Any, everything: object) -> Scope | None:
    """Return the builtins that a text is to have, as a script has given them, or None for all."""
    given = names.get(_BUILTINS, everything) if issubclass(type(names), dict) else everything
    if given is everything or type(given) not in (dict, type(None)):
        return None
    return _items(given) if type(given) is dict else {}


def _items(names: Any) -> Scope:
    """Return a copy of a script's dict, without what is no variable's name."""
    if type(names) is SimpleNamespace:
        names = vars(names)
    items = dict(names)
    return {name: value for name, value in items.items() if _is_name(name)}


def _is_name(name: object) -> bool:
    return type(name) is str and name.isidentifier() and not _rules.is_dunder(name)


def _text(source: Any, mode: str) -> tuple[str, str]:
    if type(source) is _Compiled:
        return source.parts()
    if isinstance(source, (bytes, bytearray)):
        return bytes(memoryview(source)).decode(), mode
    if not isinstance(source, str):
        raise TypeError(f"{mode}() arg 1 must be a string, bytes or code object")
    return str.__str__(source), mode


def _never(coroutine: Coroutine[Any, Any, Any]) -> NoReturn:
    coroutine.close()
    raise SyntaxError("'await' outside function")
