"""Checking forms of library functions that reach attributes by name or hold modules.

They take their originals' places in the views. Each is a function with a closure, not
a class: from an instance a script could come back to the class and its base.
"""

from __future__ import annotations

import abc
import contextlib
import functools
import re
import sys
import threading
import warnings

from hotcell_guard.granting import _asyncio, _types, _unittest
from hotcell_guard.granting._ast import literal_eval
from hotcell_guard.granting._namespace import SimpleNamespace
from hotcell_guard.granting._samples import get_sample_data
from hotcell_guard.granting._tracebacks import for_scripts
from hotcell_guard.granting._wrapping import wrappers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Final, NoReturn

    from hotcell_guard.granting._attributes import Attributes
    from hotcell_guard.granting._tracebacks import Places

    Getter = Callable[..., object]

__all__ = ["replacements"]


def replacements(
    attributes: Attributes, opener: Callable[..., Any], places: Places
) -> Mapping[str, Mapping[str, object]]:
    """Return what views show instead of a library's own, by module and name.

    opener is the run's ``open``; places tells which of the script's lines an exception
    came through.
    """
    getter, owns = attributes.read, _around_own(attributes.ownership.is_own)
    return {
        "ast": {"literal_eval": literal_eval},
        "asyncio": _asyncio.functions(attributes.answers),
        "abc": _abstract_decorators(owns),
        "contextlib": {"redirect_stdout": _redirect("stdout"), "redirect_stderr": _redirect("stderr")},
        "concurrent.futures": {"ProcessPoolExecutor": _process_pool},
        "weakref": {"finalize": attributes.exits.finalizer()},
        "codecs": {"open": _codecs_open(opener)},
        "io": {"open": opener},
        "logging": {"FileHandler": _file_handler(opener)},
        "matplotlib.cbook": {"get_sample_data": get_sample_data},
        "operator": {"attrgetter": _attrgetter(getter), "methodcaller": _methodcaller(getter)},
        "traceback": for_scripts(places),
        "types": {"SimpleNamespace": SimpleNamespace},
        "functools": {"total_ordering": _own_only(functools.total_ordering, owns), **wrappers(functools, owns)},
        "typing": {**_typing_functions(), **_typing_decorators(owns)},
        "pydantic": {"with_config": _with_config(owns)},
        "pydantic.dataclasses": {"dataclass": _model_dataclass(owns)},
        "xml.dom.minidom": _documents(),
        "warnings": {"catch_warnings": _catch_warnings, "deprecated": _deprecated(owns)},
        # plotly would load a server for its browser; a figure that is shown is kept for the report.
        "plotly.io": {"renderers": SimpleNamespace(default="", render_on_display=False)},
        "threading": {"enumerate": _threads},
        "unittest": _unittest.functions(lambda decorator: _own_only(decorator, owns)),
        "numpy.testing": {"suppress_warnings": _suppress_warnings, **_raising()},
    }


def _process_pool(*arguments: object, **options: object) -> NoReturn:
    """Say that there is no other process, as Python does where it has no semaphores for them."""
    raise NotImplementedError("no other process can be started; use concurrent.futures.ThreadPoolExecutor")


_process_pool.__name__ = _process_pool.__qualname__ = "ProcessPoolExecutor"


def _threads() -> list[threading.Thread]:
    """Return the threads that are alive: the script's main one, and what was started as a Thread or a class of the script's."""
    ours = threading.main_thread(), threading.current_thread()
    return [each for each in threading.enumerate() if each in ours or type(each).__module__ in ("threading", "__main__")]


_threads.__name__ = _threads.__qualname__ = "enumerate"


def _codecs_open(opener: Callable[..., Any]) -> Callable[..., Any]:
    """Return codecs' open: a text file by the run's own, for Python's gives what forwards every attribute."""

    def open(  # noqa: A001
        filename: object, mode: str = "r", encoding: str | None = None, errors: str = "strict", buffering: int = -1
    ) -> Any:
        """Open an encoded file; the ends of lines stay as they are."""
        if encoding is None:
            return opener(filename, mode, buffering)
        return opener(filename, str.replace(mode, "b", ""), -1, encoding, errors, "")

    return open


def _file_handler(opener: Callable[..., Any]) -> Callable[..., Any]:
    def FileHandler(  # noqa: N802  # Python's name; its class keeps the builtin open
        filename: Any, mode: str = "a", encoding: str | None = None, delay: bool = False, errors: str | None = None
    ) -> Any:
        """Return a handler that writes to a file, which the run's own open has opened."""
        import logging  # only who asks for it needs it

        return logging.StreamHandler(opener(filename, mode, -1, encoding, errors))

    return FileHandler


def _documents() -> Mapping[str, object]:
    """Return what reads a document with expat. Another parser would be asked for by name."""

    def parse(file: Any) -> Any:
        """Parse a file into a DOM by filename or file object."""
        import xml.dom.minidom

        return xml.dom.minidom.parse(file)

    def parseString(string: Any) -> Any:  # noqa: N802  # Python's name
        """Parse a file into a DOM from a string."""
        import xml.dom.minidom

        return xml.dom.minidom.parseString(string)

    return {"parse": parse, "parseString": parseString}


def _redirect(name: str) -> Callable[..., Any]:
    """Return contextlib's redirect for one stream.

    Python's class keeps the stream's name and the real stream in attributes that a
    subclass reads and writes: ``_stream = "modules"`` makes it replace sys.modules.
    """

    @contextlib.contextmanager
    def redirect(new_target: Any) -> Iterator[Any]:
        old = getattr(sys, name)
        setattr(sys, name, new_target)
        try:
            yield new_target
        finally:
            setattr(sys, name, old)

    redirect.__name__ = redirect.__qualname__ = f"redirect_{name}"
    return redirect


def _attrgetter(getter: Getter) -> Callable[..., Callable[[object], object]]:
    def attrgetter(attr: str, /, *attrs: str) -> Callable[[object], object]:
        """Return a callable that fetches the named attributes from its operand."""
        paths = [_parts(each) for each in (attr, *attrs)]

        def fetch(obj: object, /) -> object:
            values = tuple(_follow(obj, path, getter) for path in paths)
            return values if attrs else values[0]

        return fetch

    return attrgetter


def _parts(path: object) -> list[str]:
    if not isinstance(path, str):
        raise TypeError("attribute name must be a string")
    return str.__str__(path).split(".")


def _follow(obj: object, path: list[str], getter: Getter) -> object:
    for name in path:
        obj = getter(obj, name)
    return obj


def _methodcaller(getter: Getter) -> Callable[..., Callable[[object], object]]:
    def methodcaller(name: str, /, *args: object, **options: object) -> Callable[[object], object]:
        """Return a callable that calls the named method on its operand."""
        if not isinstance(name, str):
            raise TypeError("method name must be a string")
        exact = str.__str__(name)

        def call(obj: object, /) -> object:
            method: Any = getter(obj, exact)
            return method(*args, **options)

        return call

    return methodcaller


def _typing_functions() -> Mapping[str, object]:
    """Return what takes typing's forms apart: ``Type[int]`` would give the real ``type``."""
    import typing

    def get_origin(tp: object) -> object:
        """Get the unsubscripted version of a type."""
        return _types.shown(typing.get_origin(tp))

    def get_args(tp: object) -> tuple[object, ...]:
        """Get type arguments with all substitutions performed."""
        return tuple(_types.shown(each) for each in typing.get_args(tp))

    return {"get_origin": get_origin, "get_args": get_args}


_WRAPPERS: Final = (
    *(staticmethod, classmethod, property, functools.cached_property, functools.partialmethod),
    *(functools.singledispatchmethod, type(functools.lru_cache(lambda: None))),
)
"""What stands around a function in a class."""
_HOLD: Final = ("__func__", "fget", "func", "__wrapped__")
"""The attributes in which they have it."""


def _around_own(owns: Callable[[object], bool]) -> Callable[[object], bool]:
    """Return what tells whether something is the script's, or stands around a function that is."""

    def is_own(target: Any) -> bool:
        while not owns(target):
            inside = (getattr(target, name, None) for name in _HOLD) if type(target) in _WRAPPERS else ()
            target = next((each for each in inside if each is not None), None)
            if target is None:
                return False
        return True

    return is_own


def _own_only(decorator: Callable[..., Any], owns: Callable[[object], bool]) -> Callable[..., Any]:
    """Return a decorator that writes into what it is given, for what is the script's."""

    def decorate(target: Any, /) -> Any:
        if not owns(target):
            raise TypeError(f"{decorator.__name__}() takes a class or function of the script's")
        return decorator(target)

    decorate.__name__ = decorate.__qualname__ = decorator.__name__
    decorate.__doc__ = decorator.__doc__
    return decorate


def _abstract_decorators(owns: Callable[[object], bool]) -> Mapping[str, object]:
    """Return abc's decorators: each writes ``__isabstractmethod__`` into what it is given."""
    kinds = abc.abstractproperty, abc.abstractclassmethod, abc.abstractstaticmethod
    return {each.__name__: _own_only(each, owns) for each in (abc.abstractmethod, *kinds)}


def _typing_decorators(owns: Callable[[object], bool]) -> Mapping[str, object]:
    import typing

    plain = typing.final, typing.override, typing.no_type_check, typing.runtime_checkable, typing.overload

    def dataclass_transform(**options: Any) -> Callable[..., Any]:
        """Mark an object as providing dataclass-like behaviour."""
        return _own_only(typing.dataclass_transform(**options), owns)

    return {**{each.__name__: _own_only(each, owns) for each in plain}, "dataclass_transform": dataclass_transform}


def _with_config(owns: Callable[[object], bool]) -> Callable[..., Any]:
    def with_config(config: Any) -> Callable[..., Any]:
        """Set a pydantic config on a TypedDict or a dataclass."""
        import pydantic  # only who has it listed can ask

        return _own_only(_named(pydantic.with_config(config), "with_config"), owns)

    return with_config


def _model_dataclass(owns: Callable[[object], bool]) -> Callable[..., Any]:
    def dataclass(_cls: type | None = None, /, **options: Any) -> Any:
        """Create a pydantic dataclass: one whose values are validated."""
        import pydantic.dataclasses

        make = _own_only(_named(pydantic.dataclasses.dataclass(**options), "dataclass"), owns)
        return make if _cls is None else make(_cls)

    return dataclass


def _deprecated(owns: Callable[[object], bool]) -> Callable[..., Any]:
    def deprecated(
        message: str, /, *, category: type[Warning] | None = DeprecationWarning, stacklevel: int = 1
    ) -> Callable[..., Any]:
        """Indicate that a class, function or overload is deprecated."""
        marked = warnings.deprecated(message, category=category, stacklevel=stacklevel)
        return _own_only(_named(marked, "deprecated"), owns)

    return deprecated


def _named(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    def call(target: Any) -> Any:
        return function(target)

    call.__name__ = name
    return call


@contextlib.contextmanager
def _catch_warnings(
    *,
    record: bool = False,
    module: object = None,  # Python's own would change any object that it is given
    action: Any = None,
    category: type[Warning] = Warning,
    lineno: int = 0,
    append: bool = False,
) -> Iterator[list[warnings.WarningMessage] | None]:
    """Copy and restore the warnings filter upon exiting the context."""
    with warnings.catch_warnings(
        record=record, action=action, category=category, lineno=lineno, append=append
    ) as caught:
        yield caught


_catch_warnings.__name__ = _catch_warnings.__qualname__ = "catch_warnings"


@contextlib.contextmanager
def _suppress_warnings(forwarding_rule: str = "always") -> Iterator[SimpleNamespace]:  # numpy's own
    """Suppress the warnings that its ``filter`` is told, until the context ends.

    numpy's own keeps and calls ``warnings.showwarning``, and looks at modules that it is given.
    """

    def add(category: type[Warning] = Warning, message: str = "") -> None:
        """Suppress a category of warnings whose message begins like the pattern."""
        warnings.filterwarnings("ignore", category=category, message=message)

    with warnings.catch_warnings():
        yield SimpleNamespace(filter=add)


_suppress_warnings.__name__ = _suppress_warnings.__qualname__ = "suppress_warnings"


def _raising() -> Mapping[str, object]:
    """Return numpy's assertions of an exception. Its own give unittest's objects, which tell what all frames hold."""

    def assert_raises(exception_class: Any, *args: Any, **options: Any) -> Any:
        """Fail unless an exception of the class is raised by the callable, or in the context that is returned."""
        return _raised(_expected(exception_class, None), args, options)

    def assert_raises_regex(exception_class: Any, expected_regexp: Any, *args: Any, **options: Any) -> Any:
        """Fail unless an exception of the class and with a message that matches is raised."""
        return _raised(_expected(exception_class, expected_regexp), args, options)

    return {"assert_raises": assert_raises, "assert_raises_regex": assert_raises_regex}


def _raised(context: Any, call: tuple[Any, ...], options: dict[str, Any]) -> Any:
    if not call:
        return context
    with context:
        call[0](*call[1:], **options)
    return None


@contextlib.contextmanager
def _expected(kinds: Any, pattern: Any) -> Iterator[SimpleNamespace]:
    caught: Any = SimpleNamespace(exception=None)
    try:
        yield caught
    except kinds as error:
        caught.exception = error
        if pattern is not None and re.search(pattern, str(error)) is None:
            wanted = pattern.pattern if isinstance(pattern, re.Pattern) else pattern
            raise AssertionError(f'"{wanted}" does not match "{error}"') from error
    else:
        names = " or ".join(each.__name__ for each in (kinds if isinstance(kinds, tuple) else (kinds,)))
        raise AssertionError(f"{names} not raised")
