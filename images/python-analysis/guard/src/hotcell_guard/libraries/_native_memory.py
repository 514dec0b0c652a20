"""Native code that lends out its own memory, or believes what it is told about it.

A reader hands its buffer to the stream below, a solver its work memory to the function that
it calls: whoever keeps that holds memory which is freed afterwards. The flags of a decimal
context are a place inside it. A generator goes on where a state says that it is, also
behind the state's end. So callbacks get copies, what is told is checked and copied first,
and classes whose native code believes what a subclass answers have none.
"""

from __future__ import annotations

import io
import operator
from _thread import RLock
from array import array
from datetime import date, datetime
from types import FunctionType, MethodType

from hotcell_guard.granting._own import is_own_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from hotcell_guard.libraries._natives import Natives

__all__ = [
    "KEEPING",
    "LENDING",
    "keep_arrays",
    "keep_contexts",
    "keep_dates",
    "keep_generators",
    "keep_lengths",
    "keep_locks",
    "keep_streams",
    "lend_copies",
    "lend_copies_of_fortran",
]

LENDING: Final = (
    "scipy.integrate._odepack scipy.integrate._vode scipy.integrate._dop scipy.integrate._lsoda "
    "scipy.optimize._minpack scipy.optimize._cobyla "
    "scipy.sparse.linalg._propack._spropack scipy.sparse.linalg._propack._dpropack "
    "scipy.sparse.linalg._propack._cpropack scipy.sparse.linalg._propack._zpropack"
).split()
"""Modules of native functions that call back with arrays over memory of theirs; measured over all that take a function."""

KEEPING: Final = ("scipy.integrate._ode", "scipy.sparse.linalg._svdp")
"""Modules that keep such functions elsewhere than in their names."""

_FORTRAN: Final = "fortran"
_FUNCTIONS: Final = ("builtin_function_or_method", _FORTRAN)
"""Classes, by name, of what such modules call functions: f2py has one of its own in each."""


class _Raw:
    """A stream under a buffered one, to which it shows copies of its buffer: a view could outlive that."""

    __slots__ = ("_raw",)

    def __init__(self, raw: Any) -> None:
        self._raw = raw

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)

    def readinto(self, buffer: Any) -> Any:
        """Read bytes into the buffer, and say how many."""
        own = bytearray(len(buffer))
        count = self._raw.readinto(own)
        if count is None:
            return None
        count = operator.index(count)
        if 0 <= count <= len(buffer):  # else the buffered one says what is wrong
            buffer[:count] = bytes(own[:count])
        return count

    def write(self, data: Any) -> Any:
        """Write bytes, and say how many."""
        return self._raw.write(bytes(data))


def keep_streams(natives: Natives) -> None:
    """Let buffered streams show their buffers to files only.

    ``FileIO`` keeps no view. What its objects are given under the names of the two
    methods that get the buffer must not stand before those.
    """
    base: Any = io.FileIO.__base__
    natives.put(io.FileIO, **{name: property(vars(io.FileIO)[name].__get__) for name in ("readinto", "write")})
    natives.put(base, read=_read)
    for kind in (io.BufferedReader, io.BufferedWriter, io.BufferedRandom):
        natives.take_init(kind, _buffered(vars(kind)["__init__"]))


def _buffered(original: Any) -> Callable[..., None]:
    def __init__(self: Any, raw: Any, *args: Any, **options: Any) -> None:  # noqa: N807
        if is_own_class(type(self)):  # it could be initialised again, while its buffer is read
            raise TypeError("a class cannot inherit from a buffered stream here; keep the stream in an attribute")
        original(self, raw if type(raw) is io.FileIO else _Raw(raw), *args, **options)

    return __init__


def _read(self: Any, size: int = -1, /) -> Any:
    """Read up to size bytes: of RawIOBase, whose own believes how many ``readinto`` says that it has read."""
    if size is None or size < 0:
        return self.readall()
    own = bytearray(size)
    count = self.readinto(own)
    if count is None:
        return None
    count = operator.index(count)
    if not 0 <= count <= len(own):
        raise ValueError(f"readinto returned {count} outside buffer size {len(own)}")
    return bytes(own[:count])


_EXACT: Final = frozenset((int, bool, float, str))
"""Classes of the items that become an array's without code of a script's."""


def keep_arrays(natives: Natives) -> None:
    """Let an array convert an item before it looks for the place: ``__index__`` of the item could shrink the array.

    And let it write a copy of itself to a file object, which could do the same.
    """
    held: Mapping[str, Any] = vars(array)
    code = held["typecode"].__get__
    set_item, append, insert, extend, from_list = map(held.__getitem__, "__setitem__ append insert extend fromlist".split())

    def converted(self: Any, value: Any) -> Any:
        return value if type(value) in _EXACT else array(code(self), (value,))[0]

    def __setitem__(self: Any, key: Any, value: Any, /) -> None:  # noqa: N807
        set_item(self, key, value if type(value) in _EXACT or type(key) is slice else converted(self, value))

    def append_converted(self: Any, v: Any, /) -> None:
        """Append new value v to the end of the array."""
        append(self, converted(self, v))

    def insert_converted(self: Any, i: Any, v: Any, /) -> None:
        """Insert a new item v into the array before position i."""
        insert(self, i, converted(self, v))

    def extend_converted(self: Any, bb: Any, /) -> None:
        """Append items to the end of the array."""
        extend(self, bb if issubclass(type(bb), array) else array(code(self), list(bb)))

    def from_list_converted(self: Any, items: Any, /) -> None:
        """Append items to array from list."""
        from_list(self, array(code(self), list(items)).tolist() if isinstance(items, list) else items)

    def tofile(self: Any, f: Any, /) -> None:
        """Write all items (as machine values) to the file object f."""
        f.write(held_bytes(self))

    held_bytes = held["tobytes"]
    natives.take_items(array, __setitem__)
    natives.put(
        array,
        append=append_converted,
        insert=insert_converted,
        extend=extend_converted,
        fromlist=from_list_converted,
        tofile=tofile,
    )


def keep_dates(natives: Natives) -> None:
    """Let no date of the year 0 look for its day's name: before the first. Bytes, the state of a pickle, can make one."""
    year = vars(date)["year"].__get__
    for kind in (date, datetime):
        natives.put(kind, ctime=_ctime(vars(kind)["ctime"], year))


def _ctime(original: Any, year: Callable[[Any], int]) -> Callable[[Any], Any]:
    def ctime(self: Any) -> Any:
        """Return ctime() style string."""  # noqa: D402  # Python's own words
        if year(self) < 1:
            raise ValueError(f"year {year(self)} is out of range")
        return original(self)

    return ctime


def keep_contexts(natives: Natives) -> Callable[[Any], None]:
    """Return what lets the flags and traps of a decimal context keep it: they are a pointer into its memory."""

    def keep(module: Any) -> None:
        context = module.Context
        signals, read = type(context().flags), vars(context)["__getattribute__"]

        def __getattribute__(self: Any, name: str, /) -> Any:  # noqa: N807
            value = read(self, name)
            if type(value) is signals:
                vars(value)["_context"] = self
            return value

        natives.take_attributes(context, __getattribute__)

    return keep


def keep_locks(module: Any) -> None:
    """Let only the thread that holds a bit generator's lock release it: two that draw at once leave the state behind."""
    module.Lock = RLock


def keep_generators(natives: Natives) -> Callable[[Any], None]:
    """Return what keeps numpy's random generators inside their states, and those alive."""

    def keep(module: Any) -> None:
        kinds = tuple(vars(module)[name] for name in "MT19937 PCG64 PCG64DXSM Philox SFC64".split())
        for kind, place in ((module.MT19937, ("state", "pos", 624)), (module.Philox, ("", "buffer_pos", 4))):
            state = vars(kind)["state"]
            natives.put(kind, state=property(state.__get__, _state_setter(module, state.__set__, *place)))
        for kind in (module.Generator, module.RandomState):
            natives.take_init(kind, _over_numpys(vars(kind)["__init__"], kinds, kind is module.RandomState))
        # Their native code believes what a subclass answers: a seed's words, the pointer to a state.
        natives.close_bases(module.SeedSequence, module.Generator, module.RandomState, *kinds)

    return keep


def _over_numpys(original: Any, kinds: tuple[type, ...], seeds: bool) -> Callable[..., None]:
    """Return ``__init__`` for bit generators of numpy's own: another's pointer is to what somebody else keeps, or not.

    A seed is one for the old kind only.
    """

    def of_generator(self: Any, bit_generator: Any) -> None:
        if type(bit_generator) not in kinds:
            raise TypeError("a Generator takes one of numpy's own bit generators here")
        original(self, bit_generator)

    def of_state(self: Any, seed: Any = None) -> None:
        import numpy  # which calls this

        if isinstance(seed, int):
            seed = int.__int__(seed)
        elif seed is not None and type(seed) not in kinds:
            seed = numpy.array(seed)  # no object of the script's, which could have a pointer
        original(self, seed)

    return of_state if seeds else of_generator


def _state_setter(module: Any, original: Any, inner: str, name: str, most: int) -> Callable[[Any, Any], None]:
    """Return the setter of a state for positions inside it; what was looked at is what is set."""
    exact = _exact_of(module)

    def set_state(self: Any, value: Any) -> None:
        if isinstance(value, tuple):
            value = tuple.__getitem__(value, slice(None))
            if len(value) not in (3, 5):
                raise ValueError("state is not a legacy MT19937 state")
            value = {"bit_generator": value[0], "state": {"key": value[1], "pos": value[2]}}
        if not isinstance(value, dict):
            raise TypeError("state must be a dict")
        state = exact(value)
        holder = state[inner] if inner else state
        if type(holder) is not dict:
            raise TypeError("state must be a dict of dicts")
        holder[name] = operator.index(holder[name])
        if not 0 <= holder[name] <= most:
            raise ValueError(f"{name!r} of a state must be between 0 and {most}")
        with self.lock:
            original(self, state)

    return set_state


def _exact_of(module: Any) -> Callable[[Any], Any]:
    import numpy

    def exact(value: Any) -> Any:
        if isinstance(value, dict):
            return {str.__str__(name): exact(each) for name, each in dict.items(value)}
        if isinstance(value, str):
            return str.__str__(value)
        return value if type(value) in _EXACT else numpy.array(value)

    return exact


class _Lender:
    """A native function that hands its callbacks copies. It is no function: classes keep it as an attribute."""

    __slots__ = ("_function",)

    def __init__(self, function: Any) -> None:
        self._function = function

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)  # f2py's kind is also that of a module's variables

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._function(*map(_lent, args), **{name: _lent(each) for name, each in options.items()})


class _Callback:
    """What native code calls in place of a script's function.

    f2py asks a callable for its ``__code__`` to count the parameters, and takes the first
    one of what is no function for self.
    """

    __slots__ = ("__code__", "__defaults__", "_copy", "_function", "_kind")

    def __init__(self, function: Any) -> None:
        import numpy  # which all have loaded that lend something

        self._function, self._kind, self._copy = function, numpy.ndarray, numpy.array
        plain = function.__func__ if type(function) is MethodType else function
        if type(plain) is FunctionType:
            self.__code__ = _Count(plain.__code__.co_argcount + (plain is function))
            self.__defaults__ = plain.__defaults__ or ()

    def __call__(self, *args: Any) -> Any:
        kind, copy = self._kind, self._copy
        copies = [copy(each) if type(each) is kind else each for each in args]
        answer = self._function(*copies)
        for lent, own in zip(args, copies, strict=True):
            if type(lent) is kind:  # some are for what the function has to say
                lent[...] = own
        return answer


class _Count:
    __slots__ = ("co_argcount",)

    def __init__(self, count: int) -> None:
        self.co_argcount = count


def _lent(value: Any) -> Any:
    return _Callback(value) if callable(value) else value


def lend_copies(module: Any) -> None:
    """Let the native functions of a module hand copies of their memory to what they call."""
    for name, value in list(vars(module).items()):
        if type(value).__name__ in _FUNCTIONS and not name.startswith("__"):
            setattr(module, name, _Lender(value))


def lend_copies_of_fortran(module: Any) -> None:
    """Let f2py's functions, as classes and dicts of a module have them, hand out copies: it can have been loaded before."""
    for held in list(vars(module).values()):
        if type(held) is dict:
            held.update({name: _Lender(value) for name, value in held.items() if type(value).__name__ == _FORTRAN})
        elif issubclass(type(held), type) and held.__module__ == module.__name__:
            for name, value in list(vars(held).items()):
                if type(value).__name__ == _FORTRAN:
                    setattr(held, name, _Lender(value))


class _Source:
    """What a parser reads of: it believes how long the bytes say that they are."""

    __slots__ = ("_file",)

    def __init__(self, file: Any) -> None:
        self._file = file

    def read(self, size: int) -> Any:
        """Return what the file has, as an exact object."""
        data = self._file.read(size)
        return bytes.__getitem__(data, slice(None)) if isinstance(data, bytes) and type(data) is not bytes else data


def keep_lengths(module: Any) -> None:
    """Give pandas' parser written in C exact bytes."""
    original = module.parsers
    own = type(original)("parsers")

    def TextReader(source: Any, **options: Any) -> Any:  # noqa: N802  # pandas' own name
        return original.TextReader(_Source(source), **options)

    vars(own).update(vars(original), TextReader=TextReader)
    module.parsers = own
