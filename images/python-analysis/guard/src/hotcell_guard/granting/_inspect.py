"""``inspect`` for the script: signatures, documentation and questions about kinds. No frames, no sources, no modules."""

from __future__ import annotations

import functools
import types

from hotcell_guard.granting import _types
from hotcell_guard.granting._namespace import SimpleNamespace
from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._ownership import instance_dict, is_internal
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.granting._signatures import BoundArguments, Parameter, Shown, Signature, copied, empty
from hotcell_guard.granting._views import is_dangerous

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.granting._attributes import Attributes

__all__ = ["contents"]

_PLAIN: Final = (str, int, float, bool, bytes, complex, type(None))
_TEXTS: Final = ("__text_signature__", "__signature__")
_class_name: Final = vars(type)["__qualname__"].__get__
_BUILT_IN: Final = (types.BuiltinFunctionType, types.MethodWrapperType)
_DESCRIBING: Final = (
    types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType
)  # fmt: skip


def contents(attributes: Attributes) -> dict[str, object]:
    """Return what the module holds; attributes are the run's."""
    shown = {"Signature": Signature, "Parameter": Parameter, "BoundArguments": BoundArguments}
    return {**shown, **_signatures(attributes), **_texts(attributes), **_kinds(), **_waiting()}


def _signatures(attributes: Attributes) -> dict[str, object]:
    owns = attributes.ownership.is_own

    def signature(obj: Any, *, follow_wrapped: bool = True) -> Signature:
        """Return the signature of a callable. What a library wrote as a default or an annotation is shown as its text."""
        import inspect  # only who asks for it needs it, and what it imports

        found, layers = _behind(obj, bool(follow_wrapped))
        own = owns(found)
        # What is the script's and no function has been looked through: Python would ask it for what it wraps.
        real = inspect.signature(found, follow_wrapped=not own and bool(follow_wrapped))
        shown = copied(real, _own_value if own else _default, _own_value if own else _annotation)
        for layer in reversed(layers):
            if layer is None:
                shown = shown.without_first()
            else:
                named = {name: _own_value(value) for name, value in layer.keywords.items()}
                shown = shown.without(layer.args, named)
        return shown

    def getfullargspec(func: Any) -> Any:
        """Return the names of a function's parameters and their defaults."""
        parameters = list(signature(func).parameters.values())
        named = [each for each in parameters if int(each.kind) < 2]
        only = [each for each in parameters if int(each.kind) == 3]
        stars = {int(each.kind): each.name for each in parameters}
        return SimpleNamespace(
            args=[each.name for each in named],
            varargs=stars.get(2),
            varkw=stars.get(4),
            defaults=tuple(each.default for each in named if each.default is not empty) or None,
            kwonlyargs=[each.name for each in only],
            kwonlydefaults={each.name: each.default for each in only if each.default is not empty} or None,
            annotations={each.name: each.annotation for each in parameters if each.annotation is not empty},
        )

    return _named(signature, getfullargspec)


def _behind(obj: Any, follow: bool) -> tuple[Any, list[Any]]:
    """Return the function whose values the signature holds, or what of a library's has one, and the layers around it.

    A layer is a partial, or None for the first parameter that is given already. No object of the script's
    is asked for anything: it could answer with a library's function, and be taken for its own.
    Raises TypeError where a script says what the signature is: Python would evaluate a text of it.
    """
    layers: list[Any] = []
    for _ in range(_MOST_LAYERS):
        _check(obj)
        kind, held = type(obj), instance_dict(obj) or {}
        if kind is types.MethodType:
            layers.append(None)
            obj = obj.__func__
        elif kind is functools.partial:
            layers.append(obj)
            obj = obj.func
        elif follow and "__wrapped__" in held:
            obj = held["__wrapped__"]
        elif kind is types.FunctionType:
            return obj, layers
        else:
            is_class = issubclass(kind, type)
            holder, found = _defined(obj, ("__new__", "__init__")) if is_class else _defined(kind, ("__call__",))
            if holder is None:
                raise TypeError(f"an object of class {_class_name(kind)!r} cannot be called")
            if not is_own_class(holder):
                return (holder if is_class else obj if holder is kind else found), layers
            if is_class or type(found) is not staticmethod:
                layers.append(None)
            obj = found.__func__ if type(found) in (staticmethod, classmethod) else found
    raise TypeError("there are too many layers around this function")


def _defined(kind: type, names: tuple[str, ...]) -> tuple[type | None, Any]:
    """Return which class defines or bequeaths the first of the names that there is, and what that is."""
    for base in mro(kind):
        found = next((class_dict(base)[name] for name in names if name in class_dict(base)), None)
        if found is not None:
            return base, found
    return None, None


def _check(obj: Any) -> None:
    spaces = [instance_dict(obj) or {}, *(class_dict(base) for base in mro(type(obj)) if is_own_class(base))]
    if issubclass(type(obj), type):
        spaces += [class_dict(base) for base in mro(obj) if is_own_class(base)]
    for space in spaces:
        for name in _TEXTS:
            value = space.get(name)
            if value is not None and (is_own_class(type(value)) or isinstance(value, (str, *_CALLED))):
                raise TypeError(f"{name!r} of what the script made is not read")


_MOST_LAYERS: Final = 100
_CALLED: Final = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, type, property, staticmethod, classmethod)


def _default(value: Any) -> Any:
    """Return a library's default: a plain value, or its text."""
    if type(value) in _PLAIN:
        return value
    if type(value) is tuple and all(type(each) in _PLAIN for each in value):
        return value
    return Shown(_text(value))


def _annotation(value: Any) -> Any:
    return value if type(value) is str else Shown(_text(value))


def _text(value: Any) -> str:
    if issubclass(type(value), type):
        return str(_class_name(value))
    return value.__name__ if type(value) in (types.FunctionType, *_BUILT_IN) else repr(value)


def _own_value(value: Any) -> Any:
    """Return a value that the script's function holds, but no module or part of the interpreter."""
    return Shown("...") if is_internal(value) or is_dangerous(value) else _types.shown(value)


def _texts(attributes: Attributes) -> dict[str, object]:
    def getdoc(object: Any) -> str | None:  # noqa: A002
        """Return the documentation of an object."""
        text = attributes.read(object, "__doc__", None)
        return cleandoc(text) if isinstance(text, str) else None

    def cleandoc(doc: Any) -> str:
        """Return a documentation without its indentation."""
        import inspect

        return inspect.cleandoc(str.__str__(doc))

    def getmembers(object: Any, predicate: Callable[[Any], object] | None = None) -> list[tuple[str, Any]]:  # noqa: A002
        """Return the attributes of an object that the script may read, sorted by their names."""
        found = []
        for name in sorted(attributes.names(object)):
            try:
                value = attributes.read(object, name)
            except AttributeError:
                continue
            if predicate is None or predicate(value):
                found.append((name, value))
        return found

    return _named(getdoc, cleandoc, getmembers)


def _kinds() -> dict[str, object]:
    """Return what tells what an object is, by its real class and no module of Python's."""

    def isfunction(object: Any) -> bool:  # noqa: A002
        """Tell whether it is a function that was written in Python."""
        return isinstance(object, types.FunctionType)

    def ismethod(object: Any) -> bool:  # noqa: A002
        """Tell whether it is a bound method."""
        return isinstance(object, types.MethodType)

    def isclass(object: Any) -> bool:  # noqa: A002
        """Tell whether it is a class."""
        return isinstance(object, type)

    def ismodule(object: Any) -> bool:  # noqa: A002
        """Tell whether it is a module."""
        return isinstance(object, types.ModuleType)

    def isbuiltin(object: Any) -> bool:  # noqa: A002
        """Tell whether it is a function or method that was written in C."""
        return isinstance(object, types.BuiltinFunctionType)

    def isroutine(object: Any) -> bool:  # noqa: A002
        """Tell whether it is any kind of function."""
        return isinstance(object, (types.FunctionType, types.MethodType, *_BUILT_IN, *_DESCRIBING))

    def isabstract(object: Any) -> bool:  # noqa: A002
        """Tell whether it is a class with abstract methods."""
        import inspect

        return isinstance(object, type) and inspect.isabstract(object)

    return _named(isfunction, ismethod, isclass, ismodule, isbuiltin, isroutine, isabstract)


def _waiting() -> dict[str, object]:
    """Return what tells whether an object goes on later, or gives one that does."""

    def isgenerator(object: Any) -> bool:  # noqa: A002
        """Tell whether it is a generator."""
        return isinstance(object, types.GeneratorType)

    def iscoroutine(object: Any) -> bool:  # noqa: A002
        """Tell whether it is a coroutine."""
        return isinstance(object, types.CoroutineType)

    def isgeneratorfunction(obj: Any) -> bool:
        """Tell whether a call gives a generator."""
        import inspect

        return isinstance(obj, (types.FunctionType, types.MethodType)) and inspect.isgeneratorfunction(obj)

    def iscoroutinefunction(obj: Any) -> bool:
        """Tell whether a call gives a coroutine."""
        import inspect

        return isinstance(obj, (types.FunctionType, types.MethodType)) and inspect.iscoroutinefunction(obj)

    def isawaitable(object: Any) -> bool:  # noqa: A002
        """Tell whether it can be awaited."""
        return isinstance(object, types.CoroutineType) or any("__await__" in class_dict(base) for base in mro(type(object)))

    def isasyncgenfunction(obj: Any) -> bool:
        """Tell whether a call gives an asynchronous generator."""
        import inspect

        return isinstance(obj, (types.FunctionType, types.MethodType)) and inspect.isasyncgenfunction(obj)

    return _named(isgenerator, iscoroutine, isgeneratorfunction, iscoroutinefunction, isasyncgenfunction, isawaitable)


def _named(*functions: Any) -> dict[str, object]:
    return {each.__name__: each for each in functions}
