"""pandas."""

from __future__ import annotations

import builtins
import importlib
import sys
import types

from hotcell_guard.granting import _types
from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries import _codes, _matplotlib, _native_memory
from hotcell_guard.libraries._changes import each, joined, put, refuse_special
from hotcell_guard.vetting import _advice, _floor, _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from hotcell_guard.libraries._changes import Change, Changes, Means

__all__ = ["changes"]

_METHODS_BY_NAME: Final = (
    "pandas.core.apply pandas.core.groupby.generic pandas.core.groupby.groupby pandas.core.resample"
).split()
"""Modules that call a method by a name that the script gives: ``df.agg("mean")``."""


def changes(means: Means) -> Changes:
    """Return the change to each module."""
    accessors = _Accessors()
    optional = types.SimpleNamespace(import_module=_import_optional)
    return joined(
        {
            "pandas.core.generic": accessors.show_on_tables,
            "pandas.core.indexes.base": accessors.show_on_indexes,
            "pandas.core.indexes.multi": _codes.keep_levels,
            "pandas.core.arrays.categorical": _codes.keep_categories,
            "pandas.core.frame": _keep_managers,
            "pandas.core.dtypes.generic": _ask_classes,
            "pandas.core.accessor": accessors.take,
            "pandas.io.sql": _keep_connections,
            "pandas.core.dtypes.dtypes": lambda module: _types.close(module.CategoricalDtypeType),
            "pandas.core.computation.expr": put("getattr", means.attributes.read),
            "pandas.core.computation.scope": means.evaluation.scopes,
            "pandas.core.interchange.from_dataframe": means.arrays.keep_buffers,
            "pandas.io.parsers.c_parser_wrapper": _native_memory.keep_lengths,
            "pandas.compat._optional": each(put("importlib", optional), _say_what_works(means.rules)),
            "pandas.io.html": _read_pages,
            "pandas.core.window.rolling": _keep_windows,
            "pandas.plotting._core": put("importlib", _matplotlib.importer()),
        },
        dict.fromkeys(_METHODS_BY_NAME, _check_method_names(means.rules)),
    )


def _keep_windows(module: Any) -> None:
    """Let windows that a script's class tells be within the column: native code reads where they say."""
    original, told = module.BaseWindow._get_window_indexer, module.BaseIndexer

    @instead_of(original)
    def _get_window_indexer(self: Any) -> Any:
        found = original(self)
        return _Windows(found, module.np) if issubclass(type(found), told) else found

    module.BaseWindow._get_window_indexer = _get_window_indexer


class _Windows:
    """An indexer of windows whose bounds are copies, and within the column."""

    __slots__ = ("_indexer", "_numpy", "window_size")

    def __init__(self, indexer: Any, numpy: Any) -> None:
        self._indexer, self._numpy, self.window_size = indexer, numpy, indexer.window_size

    def get_window_bounds(self, num_values: int = 0, **options: Any) -> tuple[Any, ...]:
        """Return where the windows begin, and where they end."""
        first, last = self._indexer.get_window_bounds(num_values=num_values, **options)
        numpy = self._numpy
        return tuple(numpy.clip(numpy.array(each, numpy.int64, ndmin=1), 0, num_values) for each in (first, last))


def _read_pages(module: Any) -> None:
    """Let ``read_html`` take the parser that the image has; it would stop at the one that it would rather have."""
    original = module._validate_flavor
    module._validate_flavor = lambda flavor: original("bs4" if flavor is None else flavor)


def _check_method_names(rules: _rules.Rules) -> Change:
    def get(obj: object, name: str, *default: object) -> object:
        exact = str.__str__(name)
        reason = _rules.attribute_refusal(exact, rules)
        if reason is None and exact.startswith("_"):
            reason = f"{exact!r} is private; name a public method"
        if reason is not None:
            raise AttributeError(reason)
        return builtins.getattr(obj, exact, *default)

    return put("getattr", get)


def _import_optional(name: str, package: str | None = None) -> object:
    """Import what a library can do without, by a name that might come from a script."""
    exact = str.__str__(name)
    if _floor.import_is_floor(exact):
        raise ImportError(f"{exact!r} may not be loaded by name from here", name=exact)
    return importlib.import_module(exact)


def _say_what_works(rules: _rules.Rules) -> Change:
    """Return what has pandas say what to use in place of a package that is missing, not how to install it.

    Modules of pandas that are loaded already hold the function by its name.
    """

    def change(module: Any) -> None:
        original = module.import_optional_dependency

        @instead_of(original)
        def import_optional_dependency(name: str, *args: Any, **options: Any) -> Any:
            try:
                return original(name, *args, **options)
            except ImportError as error:
                exact = str.__str__(name)
                raise type(error)(_advice.lacking(exact, rules), name=exact) from None

        for each_module in list(sys.modules.values()):
            held = vars(each_module) if type(each_module) is types.ModuleType else {}
            if held.get("import_optional_dependency") is original:
                held["import_optional_dependency"] = import_optional_dependency

    return change


def _ask_classes(module: Any) -> None:
    """Let pandas take for its own what has a library's class that says so: a table of a script's gets managers of others."""
    for kind in list(vars(module).values()):
        if type(type(kind)) is type and type(kind).__name__ == "ABCBase":
            _ask_class(type(kind))


def _ask_class(meta: Any) -> None:
    of_instance, of_class = meta.__instancecheck__, meta.__subclasscheck__
    meta.__instancecheck__ = classmethod(lambda _, obj: of_instance(obj) and _says_library(type(obj)))
    meta.__subclasscheck__ = classmethod(lambda _, kind: of_class(kind) and _says_library(kind))


def _says_library(kind: type) -> bool:
    """Tell whether a library's class among the bases of this one says what its objects are to pandas, before any other."""
    holder = next((base for base in mro(kind) if "_typ" in class_dict(base)), None)
    return holder is not None and not is_own_class(holder)


def _keep_managers(module: Any) -> None:
    """Let a table make one of a script's class from a table; of a class called GeoDataFrame pandas does from its manager."""
    frame = module.DataFrame

    def _constructor_from_mgr(self: Any, mgr: Any, axes: Any) -> Any:
        made = frame._from_mgr(mgr, axes=axes)
        return made if type(self) is frame else self._constructor(made)

    frame._constructor_from_mgr = _constructor_from_mgr


def _keep_connections(module: Any) -> None:
    """Let pandas read from and write to the databases in memory that a script has, and to no other object."""

    def pandasSQL_builder(con: Any, schema: object = None, need_transaction: object = False) -> Any:  # noqa: N802  # pandas' name
        own = sys.modules.get("hotcell_guard.granting._sqlite")  # which loads SQLite, for who imports it
        if own is None or type(con) is not vars(own)["Connection"]:
            raise TypeError("con must be a connection of sqlite3.connect(':memory:')")
        return module.SQLiteDatabase(con)

    module.pandasSQL_builder = pandasSQL_builder


class _Accessors:
    """The accessors that a script registers: their names are looked up where an object holds none of that name.

    pandas would set them on its classes, which nobody can change any more.
    """

    def __init__(self) -> None:
        self._of: dict[type, dict[str, Any]] = {}

    def take(self, module: Any) -> None:
        """Let an accessor add a public name, and replace none; ``__array_interface__`` would be read by numpy."""
        original, cached = module._register_accessor, module.CachedAccessor

        @instead_of(original)
        def register(name: str, cls: Any) -> Any:
            if type(name) is not str or name.startswith("_") or not name.isidentifier():
                raise ValueError(f"an accessor's name must be a public identifier, not {name!r}")
            if hasattr(cls, name):
                raise ValueError(f"{cls.__name__} has a {name!r} of its own; choose another name for the accessor")

            def decorator(accessor: Any) -> Any:
                self._of.setdefault(cls, {})[name] = cached(name, accessor)
                return accessor

            return decorator

        module._register_accessor = register

    def show_on_tables(self, module: Any) -> None:
        """Let tables and series have them."""
        refuse_special(module.NDFrame)
        self._show_on(module.NDFrame, vars(module.NDFrame)["__getattr__"])

    def show_on_indexes(self, module: Any) -> None:
        """Let indexes have them, which look up nothing else."""

        def __getattr__(self: Any, name: str) -> Any:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

        self._show_on(module.Index, __getattr__)

    def _show_on(self, kind: Any, original: Any) -> None:
        registered = self._of

        @instead_of(original)
        def __getattr__(self: Any, name: str) -> Any:
            for base in mro(type(self)) if registered else ():
                if name in registered.get(base, ()):
                    return registered[base][name].__get__(self, type(self))
            return original(self, name)

        kind.__getattr__ = __getattr__
