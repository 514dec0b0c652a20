"""The standard library."""

from __future__ import annotations

import _contextvars
import struct
import sys
import types

from hotcell_guard.granting import _event_loop, _types
from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._privates import home
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.granting._wrapping import check_wrappers, instead_of
from hotcell_guard.libraries import _copies, _importing, _native_files, _native_memory, _reentry, _texts
from hotcell_guard.libraries._changes import each, put
from hotcell_guard.libraries._proxies import keep_mappings
from hotcell_guard.libraries._templates import FIELD_METHODS, NEW_TUPLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, NoReturn

    from hotcell_guard.granting._attributes import Attributes
    from hotcell_guard.libraries._changes import Changes, Means
    from hotcell_guard.libraries._natives import Natives
    from hotcell_guard.vetting._rules import Rules

__all__ = ["change_natives", "changes"]

_OF_TEXT: Final = (
    "altsep basename commonpath commonprefix curdir dirname extsep isabs isreserved join normcase normpath pardir pathsep sep "
    "split splitdrive splitext splitroot"
).split()
"""What pathlib has of the modules of paths, and their like."""


def change_natives(natives: Natives, rules: Rules, attributes: Attributes) -> None:
    """Change the classes that are written in C, now: every process has them."""
    keep_mappings(natives)
    _keep_structs(natives)
    _keep_variables(natives)
    _native_files.keep_openers(natives)
    _reentry.keep_searches(natives)
    for keep in (_native_memory.keep_streams, _native_memory.keep_arrays, _native_memory.keep_dates):
        keep(natives)
    _texts.guard_texts(natives, rules, attributes.read, attributes.builtins)


def changes(means: Means) -> Changes:
    """Return the change to each module."""
    evaluation, makers, attributes = means.evaluation, means.makers, means.attributes
    return {
        "_decimal": _native_memory.keep_contexts(means.natives),
        "functools": each(
            lambda module: check_wrappers(module, attributes), makers.check_cached, makers.check_partial_methods
        ),
        "abc": _keep_registries,
        "argparse": _keep_arguments,
        "itertools": _reentry.keep_groups,
        "logging": _keep_records,
        "asyncio": lambda module: module.set_event_loop_policy(_event_loop.policy()),
        "copy": _copies.check_copies(attributes.read, attributes.checked_target),
        "ssl": _native_files.keep_certificates(means.natives),
        "re": _keep_patterns,
        "dataclasses": each(_keep_methods, makers.check_fields),
        "collections": each(_keep_tuples, makers.check_named_tuples),
        "typing": each(evaluation.hints, _keep_origins, _types.hide_in_annotations),
        "typing_extensions": evaluation.hints,
        "inspect": evaluation.hints,
        "email._policybase": _keep_policies,
        "email.headerregistry": _keep_headers,
        "enum": each(_keep_members, makers.check_members),
        "contextlib": _keep_managers,
        "tarfile": _filter_members,
        "string": put("getattr", attributes.read),  # string.Formatter reads attributes for its fields
        "pathlib": _hide_path_modules,
        "weakref": _keep_methods_whole,
        "zoneinfo._common": _load_zones_by_name,
        "traceback": each(
            put("__import__", _import_nothing), _tell_no_locals, *(put(*item) for item in means.tracebacks.items())
        ),
    }


_OF_MANAGERS: Final = frozenset(("args", "func", "gen", "kwds"))
"""What a context manager that is a generator keeps: it is often a library's, and so is its frame."""


def _keep_managers(module: Any) -> None:
    """Let such managers keep it under private names."""
    for kind in (module._GeneratorContextManagerBase, module._GeneratorContextManager, module._AsyncGeneratorContextManager):
        for held in vars(kind).values():
            if type(held) is types.FunctionType:
                names = held.__code__.co_names
                held.__code__ = held.__code__.replace(
                    co_names=tuple(f"_{name}" if name in _OF_MANAGERS else name for name in names)
                )


class _Streams:
    """Stands for sys where arguments are read: the script has none but its name."""

    __slots__ = ()
    argv = ("script.py",)
    stdout = property(lambda self: sys.stdout)
    stderr = property(lambda self: sys.stderr)
    getfilesystemencoding = staticmethod(sys.getfilesystemencoding)
    getfilesystemencodeerrors = staticmethod(sys.getfilesystemencodeerrors)

    @staticmethod
    def exit(status: object = None) -> NoReturn:
        """End the run."""
        raise SystemExit(status)


def _keep_records(module: Any) -> None:
    """Let a format see what a record holds, and of no other object: the operator of a script's text gets the namespace."""

    def checked(original: Any) -> Any:
        def _format(self: Any, record: Any) -> Any:
            if type(record) is not module.LogRecord:
                raise TypeError("a format takes a LogRecord")
            return original(self, record)

        return _format

    for kind in (module.PercentStyle, module.StrFormatStyle, module.StringTemplateStyle):
        kind._format = checked(kind._format)


def _keep_arguments(module: Any) -> None:
    """Let argparse have no arguments of the guard's, and open no file that an argument names."""

    def open(*args: object, **options: object) -> NoReturn:  # noqa: A001
        raise ValueError("fromfile_prefix_chars is not available; read the file and give its words to parse_args()")

    module._sys, module.open = _Streams(), open


def _filter_members(module: Any) -> None:
    """Let archives be extracted as data where the script names no filter, as later Pythons do."""
    module.TarFile.extraction_filter = staticmethod(module.data_filter)


def _keep_policies(module: Any) -> None:
    """Let the keywords of a policy of email set what it is made of, and no special or private names."""
    kind = module._PolicyBase

    def checked(original: Any) -> Any:
        @instead_of(original)
        def method(self: Any, **named: Any) -> Any:
            if not issubclass(type(self), kind):
                raise TypeError("a method of a policy takes a policy")
            for name in named:
                if name.startswith("_"):
                    raise TypeError(f"{name!r} is an invalid keyword argument for a policy")
            return original(self, **named)

        return method

    kind.__init__, kind.clone = checked(kind.__init__), checked(kind.clone)


def _keep_headers(module: Any) -> None:
    """Let the classes of headers that email makes be of its own classes, and a header's copy be of the header's class."""
    made: dict[tuple[str, tuple[type, ...]], type] = {}

    def make(name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
        held = vars(module).values()
        if type(name) is not str or body or not all(any(base is each for each in held) for base in bases):
            raise TypeError("the class of a header is one of email.headerregistry")
        if (name, bases) not in made:
            made[name, bases] = type(name, bases, {"__module__": module.__name__})
        return made[name, bases]

    module.type = make


_OWN: Final = f"{__package__.partition('.')[0]}."


def _keep_methods_whole(module: Any) -> None:
    """Let no WeakMethod be made of a method of the guard's: read as a plain reference, it is what the method is bound to."""
    original = module.WeakMethod.__new__

    def __new__(cls: Any, meth: Any, callback: Any = None) -> Any:  # noqa: N807
        owner = home(type(meth.__self__)) if type(meth) is types.MethodType else None
        if type(owner) is str and owner.startswith(_OWN):
            raise TypeError("a method of this object cannot be referred to weakly")
        return original(cls, meth, callback)

    module.WeakMethod.__new__ = __new__


def _keep_methods(module: Any) -> None:
    """Let dataclasses execute the methods that it writes, with identifiers in them."""

    def execute(text: object, globals: dict[str, Any], locals: dict[str, Any], /) -> None:  # noqa: A002
        exec(FIELD_METHODS.compile(text, "exec"), globals, locals)

    module.exec = execute


def _keep_structs(natives: Natives) -> None:
    """Let a Struct be initialised once: an iterator over a buffer would go on with the new size, beyond the end."""
    original = vars(struct.Struct)["__init__"]

    def __init__(self: Any, format: Any) -> None:  # noqa: A002, N807
        if self.size != -1:
            raise TypeError("a Struct cannot be initialised again; make another one")
        original(self, format)

    natives.put(struct.Struct, __init__=__init__)


def _keep_variables(natives: Natives) -> None:
    """Let a context tell the value of a variable that one has, and not which variables libraries have.

    The native code of decimal believes whatever is in its one: it would read and write
    the memory of any object. And that of a comparison goes on in the context that a
    value's ``__eq__`` has changed.
    """
    context = _contextvars.Context
    natives.drop(context, "items", "keys", "values")
    natives.drop_iteration(context)
    natives.drop_comparison(context)


def _keep_registries(module: Any) -> None:
    """Let no class of a library's become one of a library's abstract ones: all share them.

    What is registered with a class is one of its bases', too, and of what that was
    registered with. So a script's class takes any that has no library's above it, and a
    library's takes the script's that take none.
    """
    original = module._abc_register

    def _abc_register(cls: Any, subclass: Any) -> Any:
        own = issubclass(type(subclass), type) and is_own_class(subclass)
        free = own and not _takes_any(subclass, module)
        if not (free or _takes_any(cls, module) or _importing.is_loading(cls) or _importing.is_loading(subclass)):
            raise TypeError("register() of a library's abstract class takes a class of the script's that is not abstract")
        return original(cls, subclass)

    module._abc_register = _abc_register


def _takes_any(kind: type, module: Any) -> bool:
    """Tell whether an abstract class is the script's, and all that it inherits its registry from."""
    protocol = vars(sys.modules.get("typing", types)).get("Protocol")
    holders = [base for base in mro(kind) if "_abc_impl" in class_dict(base) and base not in (module.ABC, protocol)]
    return is_own_class(kind) and kind in holders and all(map(is_own_class, holders))


class _Patterns(dict):  # type: ignore[type-arg]
    """A cache of compiled patterns. Its keys are equal to themselves only."""

    def __setitem__(self, key: Any, value: Any) -> None:
        _, pattern, flags = key
        if type(pattern) in (str, bytes) and type(flags) is int:
            dict.__setitem__(self, key, value)


def _keep_patterns(module: Any) -> None:
    """Let nothing of a script's own classes be a key of a cache that all share.

    Flags that are equal to 0, or a text that is equal to a library's, would give
    everybody's pattern the script's flags, and everybody's replacement its text.
    """
    module._cache, module._cache2 = _Patterns(), _Patterns()
    compiled = module._compile_template

    @instead_of(compiled)
    def _compile_template(pattern: Any, repl: Any) -> Any:
        if type(repl) not in (str, bytes):
            repl = str.__str__(repl) if isinstance(repl, str) else bytes(memoryview(repl))
        return compiled(pattern, repl)

    _compile_template.cache_clear = compiled.cache_clear  # type: ignore[attr-defined]
    module._compile_template = _compile_template


def _keep_tuples(module: Any) -> None:
    """Let collections evaluate the ``__new__`` that it writes, with identifiers in it."""

    def evaluate(text: object, globals: dict[str, Any], /) -> object:  # noqa: A002
        return eval(NEW_TUPLE.compile(text, "eval"), globals)

    module.eval = evaluate


def _keep_origins(module: Any) -> None:
    """``Annotated[JSONEncoder, 1].encode = f`` would write to the class itself."""
    own = module._is_dunder

    def setter(self: Any, attr: str, val: object) -> None:
        if not own(attr) and attr not in ("_name", "_inst", "_nparams", "_defaults"):
            raise AttributeError(f"{attr!r} of a type hint cannot be set; set it on the class")
        object.__setattr__(self, attr, val)

    module._BaseGenericAlias.__setattr__ = setter


def _keep_members(module: Any) -> None:
    """Let only a module itself turn its names into an enumeration, as signal does.

    ``_convert_`` reads any module's globals, and writes them with as_global.
    """
    original = module.EnumType._convert_

    def _convert_(cls: Any, name: str, module: str, *options: Any, **more: Any) -> Any:
        exact = str.__str__(module)
        if sys._getframe(1).f_globals is not vars(sys.modules[exact]):
            raise TypeError("an enumeration is written as a class here")
        return original(cls, name, exact, *options, **more)

    module.EnumType._convert_ = _convert_


def _load_zones_by_name(module: Any) -> None:
    """A key that is no exact text tells its parts itself: they name a package that is imported."""
    original = module.load_tzdata

    def load_tzdata(key: Any) -> Any:
        if not issubclass(type(key), str):
            raise TypeError("the key of a time zone must be a string")
        return original(str.__str__(key))

    module.load_tzdata = load_tzdata


def _hide_path_modules(module: Any) -> None:
    """``DATA.parser`` is os.path, and public: it holds what only reads the text.

    pathlib tells by it which paths differ in their case alone, so both of its names hold the same.
    """
    made: dict[str, types.ModuleType] = {}
    own = module.PurePath.__hash__.__globals__
    for kind in (module.PurePath, module.PurePosixPath, module.PureWindowsPath):
        for name, real in [each for each in vars(kind).items() if isinstance(each[1], types.ModuleType)]:
            held = made.setdefault(real.__name__, types.ModuleType(real.__name__))
            vars(held).update({each: vars(real)[each] for each in _OF_TEXT if each in vars(real)})
            setattr(kind, name, held)
            if own.get(real.__name__) is real:
                own[real.__name__] = held


def _tell_no_locals(module: Any) -> None:
    """Let a list of frames hold what no frame's variables hold, whoever asks for them."""
    summary = module.StackSummary
    original = summary._extract_from_extended_frame_gen.__func__

    def _extract_from_extended_frame_gen(klass: type[Any], /, frame_gen: Any, **options: Any) -> Any:
        return original(klass, frame_gen, **{**options, "capture_locals": False})

    summary._extract_from_extended_frame_gen = classmethod(_extract_from_extended_frame_gen)


def _import_nothing(name: str) -> NoReturn:
    """``ImportError(name=..., name_from=...)`` would have any module imported for a better message."""
    raise ImportError(f"no module is imported to explain an error: {name!r}")
