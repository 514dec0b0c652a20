"""Text that libraries evaluate for the script: type hints, formulas, ``query``.

Such text sees what the script sees and nothing else: a copy of the script's own names
and the builtins of the script. A library evaluates it in globals that the text, or an
attribute that a script can write, has named: ``ForwardRef("x", module="os")``, a
function's ``__wrapped__``, a class's ``__module__``, the frame at a depth. None of these
decide here. Until the script begins there is no text of its own, so that a library's
hints are evaluated as the library says while everything is imported; afterwards no
globals of a library are used, whoever asks.
"""

from __future__ import annotations

import opcode
import sys
import types

from hotcell_guard.granting._real import mro
from hotcell_guard.libraries._deputies import ScriptNames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import CodeType, FrameType
    from typing import Any, Final

__all__ = ["Evaluation"]

_CODE: Final = type((lambda: None).__code__)
_CALLS: Final = frozenset(number for name, number in opcode.opmap.items() if name.startswith("CALL"))
_VARIABLES: Final = frozenset(
    opcode.opmap[name]
    for name in (
        "LOAD_NAME STORE_NAME DELETE_NAME LOAD_GLOBAL STORE_GLOBAL DELETE_GLOBAL LOAD_FROM_DICT_OR_GLOBALS"
    ).split()
)
_NAMED: Final = frozenset(opcode.hasname) - _VARIABLES
"""Operations that take a name, but not as that of a variable: attributes, also those of super."""
_FLAGS: Final = {opcode.opmap["LOAD_ATTR"]: 1, opcode.opmap["LOAD_SUPER_ATTR"]: 2}
"""The lowest bits of an argument that do not count the name."""
_EXTENDED: Final = opcode.opmap["EXTENDED_ARG"]


class _Modules:
    """Stands for ``sys.modules``: once a script runs it holds the script's own module only."""

    __slots__ = ("_has_begun",)

    def __init__(self, has_begun: Callable[[], bool]) -> None:
        self._has_begun = has_begun

    def __getitem__(self, name: object) -> object:
        if self._has_begun() and not (type(name) is str and name == "__main__"):
            raise KeyError(name)
        return sys.modules[name]  # type: ignore[index]

    def get(self, name: object, default: object = None) -> object:
        """Return the module of this name, or default."""
        try:
            return self[name]
        except KeyError:
            return default


class Evaluation:
    """The evaluators of one run.

    namespace is the script's globals, table its builtins; watch counts what a code
    object does; is_own tells the script's own classes.
    """

    def __init__(
        self,
        namespace: dict[str, Any],
        table: dict[str, object],
        watch: Callable[[CodeType], None],
        is_own: Callable[[object], bool],
    ) -> None:
        self._namespace = namespace
        self._table = table
        self._watch = watch
        self._is_own = is_own
        self._shown = _view(namespace)
        self._begun = False

    def begin(self) -> None:
        """The script begins: from now on all text can be its own."""
        self._begun = True

    def hints(self, module: Any) -> None:
        """Let a module that evaluates type hints look for names in the script only."""

        def evaluate(source: Any, globals: Any = None, locals: Any = None, /) -> object:  # noqa: A002
            if not self._begun:
                return eval(source, globals, locals)
            code = source if type(source) is _CODE else compile(source, "<hint>", "eval")
            _check_attributes(code)
            if globals is not self._namespace and type(globals) is not ScriptNames:
                _check_calls(code)  # a class's hints are read by whoever looks at the class
            value = self._evaluate(code, self._found(code, locals, globals))
            return _checked_hint(value)

        module.eval = evaluate

    def formulas(self, module: Any) -> None:
        """Let patsy evaluate in environments of the script only, which show its public names."""
        namespace, view = self._namespace, self._shown
        capture = module.EvalEnvironment.capture.__func__
        formulas: list[Any] = []  # the scopes of those that are being evaluated

        def evaluate(code: Any, globals: Any, locals: Any, /) -> object:  # noqa: A002
            formulas.append(locals)
            try:
                return self._evaluate(code, {}, locals)
            finally:  # another thread's can have come since
                del formulas[next(place for place, each in enumerate(formulas) if each is locals)]

        def own_capture(cls: Any, eval_env: Any = 0, reference: int = 0) -> Any:
            """Capture the environment of the script's function, never of a library's."""
            if isinstance(eval_env, cls):
                return eval_env
            captured = capture(cls, int(eval_env) + 1, reference)
            held = captured._namespaces
            formula = [each for each in held if any(each is scope for scope in formulas)]
            if formula:  # Q("name of a column") asks for the scope of the formula that it stands in
                return cls(formula, captured.flags)
            if not any(each is namespace for each in held):
                return cls([view], captured.flags)
            return cls([view if each is namespace else _view(each) for each in held], captured.flags)

        module.eval = evaluate
        module.EvalEnvironment.capture = classmethod(own_capture)

    def scopes(self, module: Any) -> None:
        """Let pandas look for ``@name`` in frames of the script only, and at its public names.

        DataFrame.eval called by a library (as an argument of map) would else look into
        the library's frame, and ``level`` into any.
        """

        def frame_at(level: int) -> object:
            return self._names_in(sys._getframe(level + 1))

        module.sys = types.SimpleNamespace(_getframe=frame_at)

    def callers(self, module: Any) -> None:
        """Let numpy's ``bmat("A B")`` look for names in the script only: its caller can be a frame of the guard's."""

        def frame() -> object:
            return types.SimpleNamespace(f_back=self._names_in(sys._getframe(2)))

        module.sys = types.SimpleNamespace(_getframe=frame)

    def frames(self, module: Any) -> None:
        """Let pydantic, which looks for types in a frame at a depth, see the script's names in frames of the script only.

        What it has found it hands to methods that a subclass of ``TypeAdapter`` defines.
        """

        def frame_at(depth: int = 0) -> object:
            frame = sys._getframe(depth + 1)
            return self._shown_frame(frame) if self._begun else frame

        modules = _Modules(lambda: self._begun)
        module.sys = types.SimpleNamespace(version_info=sys.version_info, modules=modules, _getframe=frame_at)

    def _shown_frame(self, frame: FrameType) -> object:
        home = frame.f_globals.get("__name__")
        names = held = ScriptNames({"__name__": home if type(home) is str else ""})
        if frame.f_globals is self._namespace:
            names.update(_public(self._namespace))
            held = names if frame.f_locals is frame.f_globals else ScriptNames(_public(frame.f_locals))
        code = types.SimpleNamespace(co_name=frame.f_code.co_name)
        above: object = frame.f_back and True
        if home == "typing" and frame.f_back is not None:  # what made an object of List[int]
            above = self._shown_frame(frame.f_back)
        return types.SimpleNamespace(f_globals=names, f_locals=held, f_code=code, f_back=above)

    def _names_in(self, frame: FrameType) -> object:
        """Return the public names that a frame of the script sees; for any other frame, those of the script."""
        held = frame.f_locals if frame.f_globals is self._namespace else self._namespace
        return types.SimpleNamespace(f_globals=_public(self._namespace), f_locals=_public(held))

    def _evaluate(self, code: CodeType, names: Mapping[str, object], locals: Any = None) -> object:  # noqa: A002
        self._watch(code)
        scope = {**_public(self._namespace), **names} if locals is None else {}
        return eval(code, {**scope, "__builtins__": self._table}, locals)

    def _found(self, code: CodeType, *scopes: Any) -> dict[str, object]:
        """Return the script's classes and type parameters that a hint names and that are no globals.

        A scope can be anything: the namespace of a class or a module, the local
        variables of whatever frame a depth has named.
        """
        found: dict[str, object] = {}
        for name in _names(code):
            for scope in scopes:
                if scope is None or scope is self._namespace or self._is_own(scope) or name.startswith("__"):
                    continue
                try:
                    value = scope[name]
                except KeyError:
                    continue
                if type(value) in _parameters() or (issubclass(type(value), type) and self._is_own(value)):
                    found.setdefault(name, value)
        return found


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if type(constant) is _CODE:
            yield from _names(constant)


def _check_attributes(code: CodeType) -> None:
    """Refuse private attributes: while it is compiled, a hint may be a library's, and hold them."""
    for name in _attributes(code):
        if name.startswith("_"):
            raise AttributeError(f"{name!r} is private; a type hint reads public attributes")


def _check_calls(code: CodeType) -> None:
    if any(operation in _CALLS for operation in code.co_code[::2]):
        raise TypeError("a type hint may not call a function here")


def _attributes(code: CodeType) -> Iterator[str]:
    """Yield the names that code reads as attributes, not as variables."""
    high = 0
    for operation, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        argument = high | low
        high = argument << 8 if operation == _EXTENDED else 0
        if operation in _NAMED:
            yield code.co_names[argument >> _FLAGS.get(operation, 0)]
    for constant in code.co_consts:
        if type(constant) is _CODE:
            yield from _attributes(constant)


def _is_public(name: object) -> bool:
    """Tell whether a variable is one that the script has named: no special name, none of the guard's."""
    return type(name) is str and name.isidentifier() and not name.startswith("__")


def _public(held: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in held.items() if _is_public(name)}


def _view(held: Mapping[str, Any]) -> object:
    """Return what answers for a namespace's public names, also for those that come later."""

    class Names:
        """Variables of the script, by name."""

        __slots__ = ()

        def __getitem__(self, name: object) -> object:
            if not _is_public(name):
                raise KeyError(name)
            return held[name]  # type: ignore[index]

    return Names()


def _parameters() -> tuple[type, ...]:
    import typing  # it is loaded when hints are evaluated

    return typing.TypeVar, typing.ParamSpec, typing.TypeVarTuple, typing.TypeAliasType


def _checked_hint(value: Any) -> Any:
    """Return what a hint stands for. Raises TypeError unless it is a type."""
    import typing

    forms = (*_parameters(), typing._Final, typing.NewType, types.GenericAlias, types.UnionType, type)
    kinds = mro(type(value))
    if value is None or type(value) is str or any(form in kinds for form in forms):
        return value
    dataclasses = sys.modules.get("dataclasses")
    if dataclasses is not None and dataclasses.InitVar in kinds:
        return value
    raise TypeError(f"a type hint must be a type, not an object of {type(value).__name__!r}")
