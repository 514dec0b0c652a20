"""Functions that hold what they need as constants of their code, and nothing else.

A closure's cells, a function's globals and an object's attributes can be read and
written by whoever has the function: ``f.__closure__``, ``f.__globals__`` and the
variables of a frame in a traceback raise no audit event. The constants of a code
object cannot be written at all, and to read them one needs the code object, which the
hook gives to nobody for a sealed function. So what decides and what writes to the host
is sealed: no globals, no cells, no defaults, no instance.
"""

from __future__ import annotations

import builtins
import opcode
from types import FunctionType

# pylint: disable=used-before-assignment  # sealed functions get their constants by name
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    INNER: Any  # the constants of what is sealed here
    FUNCTION: Any

__all__ = ["DOOR", "GLOBALS", "door", "outermost", "sealed"]

GLOBALS: Final[dict[str, object]] = {"__builtins__": {}}
"""The globals of every sealed function, by which the hook knows one. No sealed function
looks anything up in them: whoever changes them changes nothing."""

DOOR: Final[dict[str, object]] = {"__builtins__": {}}
"""The globals of the functions that a script or a library calls. Their frames are in
tracebacks, of which libraries read the code; it holds sealed functions, and those show
theirs to nobody."""

_NUMBERS: Final = opcode.opmap
_LOAD_GLOBAL: Final = _NUMBERS["LOAD_GLOBAL"]
_EXTENDED: Final = _NUMBERS["EXTENDED_ARG"]
# With the cache behind it.
_UNITS: Final = 1 + opcode._inline_cache_entries["LOAD_GLOBAL"]  # type: ignore[attr-defined]
_OPEN: Final = frozenset(
    _NUMBERS[name]
    for name in """
    LOAD_GLOBAL LOAD_NAME STORE_GLOBAL STORE_NAME DELETE_GLOBAL DELETE_NAME LOAD_DEREF STORE_DEREF DELETE_DEREF
    MAKE_CELL LOAD_FROM_DICT_OR_GLOBALS LOAD_FROM_DICT_OR_DEREF LOAD_BUILD_CLASS LOAD_LOCALS MAKE_FUNCTION IMPORT_NAME IMPORT_FROM
    """.split()
)
"""Operations that look something up where others can put it."""


def door(function: Callable[..., Any], **values: object) -> Any:
    """Return function, sealed, behind one that raises what it raises without its frames."""
    return outermost(_door, INNER=sealed(_inner, FUNCTION=sealed(function, **values)))


def outermost(function: Callable[..., Any], **values: object) -> Any:
    """Return function as a door: values are sealed functions and what anybody may see."""
    return _sealed(function, DOOR, values)


def _door(*arguments: Any, **options: Any) -> Any:
    error, value = INNER(*arguments, **options)
    if error is not None:
        raise error
    return value


def _inner(*arguments: Any, **options: Any) -> tuple[BaseException | None, Any]:
    try:
        return None, FUNCTION(*arguments, **options)
    except BaseException as error:  # pylint: disable=broad-exception-caught
        error.__context__ = error.__cause__ = None
        return error.with_traceback(None), None


def sealed(function: Callable[..., Any], **values: object) -> Any:
    """Return function with every name that it takes from outside as a constant.

    values are those names; what is not there is one of Python's own builtins, as it is
    now. Raises ValueError for a function that cannot be sealed.
    """
    return _sealed(function, GLOBALS, values)


def _sealed(function: Callable[..., Any], namespace: dict[str, object], values: Mapping[str, object]) -> Any:
    code = function.__code__
    if code.co_freevars or code.co_cellvars or function.__defaults__ or function.__kwdefaults__:
        raise ValueError(f"{code.co_name} has cells or defaults")
    constants = list(code.co_consts)
    operations = bytearray(code.co_code)
    place = 0
    while place < len(operations):
        operation, argument = operations[place], operations[place + 1]
        if operation == _LOAD_GLOBAL:
            _load_constant(operations, place, len(constants), bool(argument & 1))
            name = code.co_names[argument >> 1]
            constants.append(values[name] if name in values else vars(builtins)[name])
            place += 2 * _UNITS
        elif operation in _OPEN or operation == _EXTENDED and operations[place + 2] in _OPEN:
            raise ValueError(f"{code.co_name} uses {opcode.opname[operation]}")
        else:
            place += 2
    made = code.replace(co_code=bytes(operations), co_consts=tuple(constants))
    return FunctionType(made, namespace, code.co_name)


def _load_constant(operations: bytearray, place: int, index: int, call: bool) -> None:
    """Write the loading of a constant over that of a global, in as many units."""
    empty = _NUMBERS["NOP"]
    loaded = [_EXTENDED, index >> 8, _NUMBERS["LOAD_CONST"], index & 0xFF, _NUMBERS["PUSH_NULL"] if call else empty, 0]
    operations[place : place + 2 * _UNITS] = bytes([*loaded, *[empty, 0] * (_UNITS - len(loaded) // 2)])
