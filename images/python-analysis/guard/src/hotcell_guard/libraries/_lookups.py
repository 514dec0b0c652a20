"""Look-ups of ``__dict__`` in library code that go through the guard.

A method of a library's class that looks into ``self.__dict__`` by a name does so for any
object that it is called with: ``LookupDict.get(object, "__getattribute__")`` is whatever
stands in a class's namespace. No name of the script's is an attribute there, and no
builtin is called. So each place that ``_sites`` lists asks here.

The change is made in the code object when the module is loaded, before it runs: where the
attribute is looked up, our function is called with the object instead, and what it
returns takes the attribute's place. The look-up with its inline caches takes ten code
units, the call seven, so that nothing moves: jumps, lines and exception tables stay.
"""

from __future__ import annotations

import importlib.machinery
import opcode
from types import CodeType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping
    from typing import Any, Final

    Looker = Callable[[Any], object]

__all__ = ["install", "looked_up", "rewritten"]

_EXTENDED: Final = opcode.opmap["EXTENDED_ARG"]
_LOAD_ATTR: Final = opcode.opmap["LOAD_ATTR"]
_LOAD_CONST: Final = opcode.opmap["LOAD_CONST"]
_JUMPS: Final = frozenset(opcode.hasjrel)
_NOP: Final = opcode.opmap["NOP"]
_CACHE: Final = opcode.opmap["CACHE"]
_UNIT: Final = 2
_CALL_CACHES: Final = sum(opcode._cache_format["CALL"].values())  # type: ignore[attr-defined]
_CALL: Final = bytes((opcode.opmap["CALL"], 0)) + bytes((_CACHE, 0)) * _CALL_CACHES
_SWAP: Final = bytes((opcode.opmap["SWAP"], 2))
_PUSH_NULL: Final = bytes((opcode.opmap["PUSH_NULL"], 0))


def install(lookers_of: Callable[[str], Mapping[str, Looker]], modules: Container[str]) -> None:
    """Rewrite the modules when they are loaded. A module's looker gets the object and stands for the attribute of its name."""
    loader: Any = importlib.machinery.SourceFileLoader
    original = loader.get_code

    def get_code(self: Any, fullname: str) -> Any:
        code = original(self, fullname)
        return rewritten(code, lookers_of(fullname)) if fullname in modules else code

    loader.get_code = get_code


def rewritten(code: CodeType, lookers: Mapping[str, Looker]) -> CodeType:
    """Return code, and the code in it, with each look-up of a looker's name replaced by its call."""
    constants = [rewritten(each, lookers) if type(each) is CodeType else each for each in code.co_consts]
    changed = any(new is not old for new, old in zip(constants, code.co_consts, strict=True))
    body = code.co_code
    if not lookers.keys().isdisjoint(code.co_names):
        body = _body(code, constants, lookers)
    if not changed and body == code.co_code:
        return code
    return code.replace(co_code=body, co_consts=tuple(constants), co_stacksize=code.co_stacksize + 1)


def looked_up(code: CodeType) -> Iterator[str]:
    """Yield the names of the attributes that code itself looks up of what is no constant."""
    return (code.co_names[argument >> 1] for _, _, argument in _lookups(code))


def _body(code: CodeType, constants: list[Any], lookers: Mapping[str, Looker]) -> bytes:
    body = bytearray(code.co_code)
    for begin, end, argument in _lookups(code):
        looker = lookers.get(code.co_names[argument >> 1])
        if looker is not None:
            body[begin:end] = _call(_index(constants, looker), argument & 1, end - begin)
    return bytes(body)


def _lookups(code: CodeType) -> Iterator[tuple[int, int, int]]:
    """Yield begin, end and argument of each look-up of an attribute, but of a constant."""
    fixed = False  # whether the instruction before pushes a constant
    joined: set[int] = set()  # where jumps lead: ("{}" or text).format
    for begin, end, operation, argument in _instructions(code.co_code):
        if operation in _JUMPS:
            joined.add(end + _UNIT * argument)
        elif operation == _LOAD_ATTR and (not fixed or begin in joined):
            yield begin, end, argument
        fixed = operation == _LOAD_CONST


def _instructions(body: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Yield begin, end, operation and argument of each, with its prefixes and caches."""
    at = begun = argument = 0
    while at < len(body):
        operation = body[at]
        argument = argument << 8 | body[at + 1]
        at += _UNIT
        if operation == _EXTENDED:
            continue
        while at < len(body) and body[at] == _CACHE:
            at += _UNIT
        yield begun, at, operation, argument
        begun, argument = at, 0


def _index(constants: list[Any], looker: object) -> int:
    """Return the looker's place among the constants, which it takes if it has none."""
    for number, each in enumerate(constants):
        if each is looker:
            return number
    constants.append(looker)
    return len(constants) - 1


def _call(constant: int, is_method: int, size: int) -> bytes:
    """Return size bytes that put looker(owner), and NULL for a method call, in the place of owner."""
    units = b""
    for shift in (16, 8):
        if constant >> shift:
            units += bytes((_EXTENDED, constant >> shift & 0xFF))
    units += bytes((_LOAD_CONST, constant & 0xFF)) + _SWAP + _CALL + (_PUSH_NULL if is_method else b"")
    return units + bytes((_NOP, 0)) * ((size - len(units)) // _UNIT)
