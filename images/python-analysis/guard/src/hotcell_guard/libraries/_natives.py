"""Changes to classes that are written in C, made in place.

``setattr`` refuses them. Replacing them under one module's name leaves the real ones
under every other name that some library gives them, and every object of theirs leads
back. What is changed here is the class itself, so that no spelling leads around it.
"""

from __future__ import annotations

import ctypes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final, Self

__all__ = ["Natives", "close", "take"]


_AS_NUMBER: Final = 12
_AS_SEQUENCE: Final = 13
_AS_MAPPING: Final = 14
_GET: Final = 18
_AS_BUFFER: Final = 20
_COMPARE: Final = 25
_ITER: Final = 27
_INIT: Final = 37
_NEW: Final = 39
"""Of PyTypeObject, counted in pointers: its slots of these names."""
_OR: Final = 15
_REMAINDER: Final = 3
"""Of PyNumberMethods: nb_or and nb_remainder."""
_SET_ITEM: Final = 5
_CONTAINS: Final = 7
_SET_BY_KEY: Final = 2
"""Of PySequenceMethods and PyMappingMethods: sq_ass_item and sq_contains, and mp_ass_subscript."""
_COMPARISONS: Final = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
_FLAGS: Final = 21
_BASE_TYPE: Final = 1 << 10
"""Of PyTypeObject: tp_flags, and there Py_TPFLAGS_BASETYPE."""
_flags: Final = vars(type)["__flags__"].__get__


def _pointer(address: int, index: int) -> Any:
    return ctypes.c_void_p.from_address(address + index * ctypes.sizeof(ctypes.c_void_p))


def _family(kind: type) -> Iterator[type]:
    """Yield a class and all that inherit from it."""
    yield kind
    for each in type.__subclasses__(kind):
        yield from _family(each)


class _Model:
    """A class whose slots call methods."""

    def __new__(cls) -> Self:
        return super().__new__(cls)

    def __init__(self) -> None:
        pass

    def __buffer__(self, flags: int, /) -> memoryview:
        return memoryview(b"")

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __delitem__(self, key: Any) -> None:
        pass

    def __contains__(self, item: Any) -> bool:
        return False

    def __mod__(self, other: Any) -> Any:
        return NotImplemented


class _Reader:
    """A class whose slot for attributes calls a method."""

    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, name)


class Natives:
    """Reads and changes the namespaces of static types.

    Bound when this module is imported: later the audit hook refuses ctypes.
    """

    def __init__(self) -> None:
        self._names = ctypes.pythonapi["PyType_GetDict"]  # unlike by attribute, an object of its own
        self._names.restype, self._names.argtypes = ctypes.py_object, [ctypes.py_object]
        self._changed = ctypes.pythonapi["PyType_Modified"]
        self._changed.restype, self._changed.argtypes = None, [ctypes.py_object]

    @property
    def is_open(self) -> bool:
        """Tell whether natives can be changed still."""
        return bool(vars(self))

    def put(self, kind: type, **attributes: Any) -> None:
        """Set attributes of a class, whatever it is written in."""
        self._names(kind).update(attributes)
        self._changed(kind)

    def take_operators(self, kind: type, model: type, **methods: Any) -> None:
        """Give a class that is written in C the methods, and let its comparisons and its ``|`` call them.

        model is a class of Python's that defines them: its slots are those that call methods.
        """
        self.put(kind, **methods)
        _pointer(id(kind), _COMPARE).value = _pointer(id(model), _COMPARE).value
        numbers, of_model = (_pointer(id(each), _AS_NUMBER).value for each in (kind, model))
        if numbers and of_model:
            _pointer(numbers, _OR).value = _pointer(of_model, _OR).value

    def take_init(self, kind: type, function: Any) -> None:
        """Give a class that is written in C another ``__init__``, also when it is called."""
        self.put(kind, __init__=function)
        _pointer(id(kind), _INIT).value = _pointer(id(_Model), _INIT).value

    def make_none(self, kind: type) -> None:
        """Let nobody make an object of a class that is written in C by a call of it."""
        _pointer(id(kind), _NEW).value = None

    def take_new(self, kind: type, function: Any) -> None:
        """Give a class that is written in C another ``__new__``, for its subclasses.

        A call of the class itself does not ask it: whoever may not be made so is refused by ``__init__``. With another
        slot ``object.__new__`` would take the class for one of Python's, and make an object that is nothing.
        """
        self.put(kind, __new__=staticmethod(function))
        for each in _family(kind):
            if each is not kind:
                _pointer(id(each), _NEW).value = _pointer(id(_Model), _NEW).value

    def take_attributes(self, kind: type, function: Any) -> None:
        """Give a class that is written in C, and its subclasses, another ``__getattribute__``."""
        self.put(kind, __getattribute__=function)
        for each in _family(kind):
            _pointer(id(each), _GET).value = _pointer(id(_Reader), _GET).value

    def take_buffer(self, kind: type, function: Any) -> None:
        """Give a class that is written in C, and its subclasses, another ``__buffer__``, also where native code asks."""
        self.put(kind, __buffer__=function)
        for each in _family(kind):
            mine, of_model = (_pointer(id(one), _AS_BUFFER).value for one in (each, _Model))
            _pointer(mine, 0).value = _pointer(of_model, 0).value

    def drop_iteration(self, kind: type) -> None:
        """Let nobody iterate over objects of a class that is written in C."""
        self.drop(kind, "__iter__")
        _pointer(id(kind), _ITER).value = None

    def drop_comparison(self, kind: type) -> None:
        """Let objects of a class that is written in C be equal to themselves only."""
        self.drop(kind, *_COMPARISONS)
        _pointer(id(kind), _COMPARE).value = _pointer(id(object), _COMPARE).value

    def take_contains(self, kind: type, function: Any) -> None:
        """Give a sequence that is written in C another ``__contains__``."""
        self.put(kind, __contains__=function)
        mine, of_model = (_pointer(id(each), _AS_SEQUENCE).value for each in (kind, _Model))
        _pointer(mine, _CONTAINS).value = _pointer(of_model, _CONTAINS).value

    def take_remainder(self, kind: type, function: Any, reflected: Any) -> None:
        """Give a class that is written in C another ``__mod__`` and ``__rmod__``."""
        self.put(kind, __mod__=function, __rmod__=reflected)
        mine, of_model = (_pointer(id(each), _AS_NUMBER).value for each in (kind, _Model))
        _pointer(mine, _REMAINDER).value = _pointer(of_model, _REMAINDER).value

    def take_items(self, kind: type, function: Any) -> None:
        """Give a sequence that is written in C another ``__setitem__``."""
        self.put(kind, __setitem__=function)
        for table, slot in ((_AS_SEQUENCE, _SET_ITEM), (_AS_MAPPING, _SET_BY_KEY)):
            mine, of_model = (_pointer(id(each), table).value for each in (kind, _Model))
            _pointer(mine, slot).value = _pointer(of_model, slot).value

    def close_bases(self, *kinds: type) -> None:
        """Let nobody inherit from classes that are written in C. RuntimeError if this interpreter has its flags elsewhere."""
        for kind in kinds:
            flags = _pointer(id(kind), _FLAGS)
            if flags.value != _flags(kind):
                raise RuntimeError("classes cannot be closed: the layout of this interpreter is unknown")
            flags.value &= ~_BASE_TYPE
            self._changed(kind)

    def drop(self, kind: type, *names: str) -> None:
        """Remove attributes of a class. Raises KeyError for one that it does not define itself."""
        for name in names:
            del self._names(kind)[name]
        self._changed(kind)


_natives: Natives | None = Natives()
_taken: list[Natives] = []


def take() -> Natives:
    """Return the one way to change natives. It works once, so that nobody finds it here."""
    global _natives
    natives, _natives = _natives, None
    if natives is None:
        raise RuntimeError("the natives have been taken already")
    _taken.append(natives)
    return natives


def close() -> None:
    """Take from all that hold it the way to change natives: no more native code is loaded."""
    while _taken:
        vars(_taken.pop()).clear()
