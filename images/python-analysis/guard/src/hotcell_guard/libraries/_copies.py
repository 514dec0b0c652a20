"""copy, which asks objects how they are copied, and sets on the copy whatever they answer.

It asks the class, and sets no special names.
"""

from __future__ import annotations

import builtins
import copy as _copy  # noqa: F401  # so that it is loaded, and changed, before the audit hook lets nobody make a function
from types import FunctionType

from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.vetting import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["check_copies"]

_super_self: Final = vars(super)["__self__"].__get__
_ABSENT: Final = object()


def check_copies(getter: Callable[..., object], check: Callable[[Any, object], str]) -> Callable[[Any], None]:
    """Return the change that takes what copies an object from its class, and sets no attribute that it could not have.

    ``copy`` asks the instance for ``__reduce_ex__``, and sets whatever that answers
    on whatever object that names. getter is the run's ``getattr``, check its look at a name that is set.
    """

    def change(module: Any) -> None:
        module.getattr = _keep_memos(module)
        module._reconstruct = _reconstruct(module, getter, check)
        module.replace = _replace(module.replace)

    return change


def _method_of_class(obj: Any, name: str, default: object = None) -> Any:
    """Return an object's ``__deepcopy__``, ``__reduce_ex__`` or the like as its class has it."""
    kind = type(obj)
    if issubclass(kind, (type, super)):  # a super() object looks into classes only
        return builtins.getattr(obj, name, default)
    holder = next((base for base in mro(kind) if name in class_dict(base)), None)
    if holder is None:
        return default
    if name.startswith("__reduce") and is_own_class(holder):
        raise TypeError(f"{kind.__name__!r} cannot be copied by {name!r}; define __copy__ or __deepcopy__")
    method = class_dict(holder)[name]
    return method.__get__(obj, kind) if hasattr(type(method), "__get__") else method


class _Memo(dict):  # type: ignore[type-arg]  # no typing at run time
    """What ``copy.deepcopy`` keeps: every original, also the namespaces of library objects. No script holds one."""


def _keep_memos(module: Any) -> Callable[..., Any]:
    """Let deepcopy keep its books in a memo that no script holds. Returns how copy finds an object's methods.

    A ``__deepcopy__`` that is not a library's gets a dict of its own, which stands for the
    memo as long as it runs: what it holds for the object itself counts, and nothing else.
    """
    # pylint: disable=not-callable  # a function is
    public = module.deepcopy
    original: Callable[..., Any] = FunctionType(public.__code__, vars(module), public.__name__, public.__defaults__)
    given: dict[int, tuple[dict[int, Any], dict[int, Any], int]] = {}

    def copied(x: Any, memo: Any) -> Any:
        if type(memo) is _Memo:
            return original(x, memo)
        own, real, key = given.get(id(memo), (None, None, 0))
        if own is None or real is None or own is not memo:
            return original(x, _Memo())
        if key in own:
            real[key] = own[key]
        return original(x, real)

    def method(obj: Any, name: str, default: object = None) -> Any:
        found = _method_of_class(obj, name, default)
        return stands_for(obj, found) if name == "__deepcopy__" and _is_foreign(obj, name, found) else found

    def stands_for(obj: Any, function: Any) -> Callable[[Any], Any]:
        def call(memo: Any) -> Any:
            own: dict[int, Any] = {}
            given[id(own)] = own, memo, id(obj)
            try:
                return function(own)
            finally:
                del given[id(own)]

        return call

    def deepcopy(x: Any, memo: Any = None, _nil: Any = None) -> Any:
        # copy's own global, set below. Whoever has imported the function has this body.
        return _copied(x, memo)  # type: ignore[name-defined]  # noqa: F821  # pylint: disable=undefined-variable

    module._copied = copied
    public.__code__ = deepcopy.__code__
    for each in module._deepcopy_dispatch.values():
        if type(each) is FunctionType and each.__defaults__ == (public,):
            each.__defaults__ = (original,)  # what is inside a list, without a further call
    return method


def _is_foreign(obj: Any, name: str, found: object) -> bool:
    """Tell whether a method that was found is not that of a library's class."""
    if found is None:
        return False
    kind = type(obj)
    return issubclass(kind, (type, super)) or any(name in class_dict(base) for base in mro(kind) if is_own_class(base))


def _reconstruct(
    module: Any, getter: Callable[..., object], check: Callable[[Any, object], str]
) -> Callable[..., Any]:
    """Return copy's function that makes an object of what ``__reduce_ex__`` answered.

    A bound method answers with the real ``getattr``, its object, and its name, which the
    script can set.
    """
    original = module._reconstruct

    def reconstruct(
        x: Any, memo: Any, func: Any, args: Any, state: Any = None, listiter: Any = None, dictiter: Any = None
    ) -> Any:
        y = original(x, memo, getter if func is builtins.getattr else func, args)
        if state is not None:
            if type(y) is not type(_super_self(x) if type(x) is super else x):
                raise TypeError(f"the copy of {type(x).__name__!r} is of another class")
            _set_state(y, state if memo is None else module.deepcopy(state, memo), check)
        # The items come after the state, as in Python's own.
        return original(y, memo, lambda: y, (), None, listiter, dictiter) if listiter or dictiter else y

    return reconstruct


def _replace(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return copy.replace for plain names: a namespace of the interpreter's takes any."""

    def replace(obj: Any, /, **changes: Any) -> Any:
        """Return a new object replacing specified fields with new values."""
        for name in changes:
            if type(name) is not str or _rules.is_dunder(name):
                raise TypeError(f"{name!r} cannot be replaced")
        return original(obj, **changes)

    return replace


def _set_state(y: Any, state: Any, check: Callable[[Any, object], str]) -> None:
    setter, answered = _method_of_class(y, "__setstate__", _ABSENT), _is_of_own(type(y), "__getstate__")
    if setter is not _ABSENT and _is_of_own(type(y), "__setstate__"):
        setter(state if answered else _apart(state))
        return
    if answered:
        state = _checked(y, state, check, setter is _ABSENT)
    elif setter is not _ABSENT:
        setter(state)
        return
    state, slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
    held, in_slots = _plain(state), _plain(slots)
    for name, value in (*held.items(), *in_slots.items()):
        if type(name) is not str or (_rules.is_dunder(name) and not _is_text(name, value)):
            raise TypeError(f"a copy cannot have the attribute {name!r}")
    if held:
        y.__dict__.update(held)
    for name, value in in_slots.items():
        setattr(y, name, value)


def _is_of_own(kind: type, name: str) -> bool:
    """Tell whether a method is that of a class of the script's."""
    holder = next((base for base in mro(kind) if name in class_dict(base)), None)
    return holder is not None and is_own_class(holder)


def _apart(state: Any) -> Any:
    """Return a state in dicts of its own: an object's real namespace is nobody's to hold."""
    if type(state) is tuple:
        return tuple(map(_apart, state))
    return dict(state) if type(state) is dict else state


def _checked(y: Any, state: Any, check: Callable[[Any, object], str], plain: bool) -> Any:
    """Return a state that the script's class has made, with names that setattr takes. Raises TypeError, AttributeError."""
    if not plain:
        raise TypeError(f"{type(y).__name__!r} defines __getstate__; define __setstate__, too")
    parts = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
    return tuple({check(y, name): value for name, value in _plain(part).items()} for part in parts)


def _is_text(name: str, value: Any) -> bool:
    """Tell whether a special name holds a text that tells people what the object is: numpy.vectorize has such."""
    return name in _rules.WRITABLE_DUNDERS and (value is None or type(value) is str)


def _plain(state: Any) -> dict[Any, Any]:
    """Return an exact dict: another could change between the check and the use."""
    if state is None:
        return {}
    if not isinstance(state, dict):
        raise TypeError("the state of a copy must be a dict")
    return dict(dict.items(state))
