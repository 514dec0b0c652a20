"""Changes to libraries that hand out modules, evaluate text or copy by name.

Views keep a script from a library's modules. What is here concerns what the library
does on the script's behalf, where a wrapper in a view could be walked around: the
original is changed, once, when its module is loaded.
"""

from __future__ import annotations

import _contextvars
import builtins
import importlib
import struct
import sys
import types

from hotcell_guard import _deputies, _format, _importing, _lookups, _native_files, _native_memory, _natives, _rules, _types
from hotcell_guard._array_interface import ArrayInterface
from hotcell_guard._copies import Copies
from hotcell_guard._evaluation import Evaluation
from hotcell_guard._models import BUILDERS, Models
from hotcell_guard._ownership import is_own_class
from hotcell_guard._proxies import keep_mappings
from hotcell_guard._real import class_dict, mro
from hotcell_guard._sites import SITES
from hotcell_guard._tables import PreparationFault
from hotcell_guard._templates import FIELD_METHODS, NEW_TUPLE, Template
from hotcell_guard._wrapping import check_wrappers, instead_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType
    from typing import Any, Final, NoReturn

    from hotcell_guard._attributes import Attributes

__all__ = ["IMPORTABLE", "Hardening"]

IMPORTABLE: Final = (
    "matplotlib.backends.backend_agg matplotlib.backends.backend_pdf matplotlib.backends.backend_svg "
    "matplotlib.backends.backend_ps matplotlib.backends.backend_template matplotlib.backends.backend_mixed "
    "pandas.plotting._matplotlib plotly"
).split()
"""What libraries may import by a name that a script has given."""

_LATE_LOADERS: Final = (
    "_plotly_utils.optional_imports _plotly_utils.basevalidators plotly.basedatatypes plotly.utils "
    "plotly.optional_imports"
).split()
"""Modules that load numpy or pandas when a figure first holds something like an array."""

_METHODS_BY_NAME: Final = (
    "pandas.core.apply pandas.core.groupby.generic pandas.core.groupby.groupby pandas.core.resample"
).split()
"""Modules that call a method by a name that the script gives: ``df.agg("mean")``."""


_GENERATORS: Final = (
    "scipy._lib._bunch scipy._lib.decorator scipy.optimize._nonlin fontTools.ttLib.tables.otConverters"
).split()
"""Modules that make functions of text that they wrote; measured. None does so for a script."""

_BY_DISTRIBUTION: Final = (
    "scipy.stats._stats_py scipy.stats._morestats scipy.stats._hypotests scipy.stats._sampling scipy.stats._fit "
    "statsmodels.stats.contrast statsmodels.stats._lilliefors"
).split()
"""Modules whose functions take a distribution's name: ``kstest(x, "norm")``."""


_READING_FRAMES: Final = (
    "pydantic.type_adapter pydantic._internal._typing_extra pydantic._internal._generics "
    "pydantic._internal._model_construction pydantic._internal._namespace_utils"
).split()
"""Modules that look for names in a frame at a depth that a script can give, or in a module that a class names."""


class Hardening:
    """Applies the changes to the modules that are loaded, in their order. Repeatable.

    namespace is the script's globals, attributes what reads them for it and its
    builtins; watch counts what a code object does.
    """

    def __init__(
        self, rules: _rules.Rules, namespace: dict[str, Any], attributes: Attributes, watch: Callable[[CodeType], None]
    ) -> None:
        getter = attributes.read
        self._namespace = namespace
        self._table = attributes.builtins
        self._getter = getter
        self._rules = rules
        evaluation = Evaluation(namespace, self._table, watch, attributes.ownership.is_own)
        importer = types.SimpleNamespace(import_module=_import_listed)
        optional = types.SimpleNamespace(import_module=_import_optional)
        self._deputies = _deputies.Deputies(namespace, getter)
        _lookups.install(lambda name: {"__dict__": self._deputies.of(name)["vars"]}, frozenset(SITES["__dict__"]))
        natives = _natives.take()
        keep_mappings(natives)
        _keep_structs(natives)
        _keep_variables(natives)
        _native_files.keep_openers(natives)
        for keep in (_native_memory.keep_streams, _native_memory.keep_arrays, _native_memory.keep_dates):
            keep(natives)
        _format.guard_texts(natives, rules, getter, self._table)
        models = Models(rules, natives)
        self._begins = (evaluation, models)
        arrays, copies = ArrayInterface(natives), Copies(namespace, getter)
        changes: Mapping[str, Callable[[Any], object]] = {
            "numpy": arrays.close,
            "scipy.spatial._ckdtree": arrays.keep_trees,
            "PIL.Image": _each(arrays.keep_images, _native_files.keep_pictures),
            "pandas.core.interchange.from_dataframe": arrays.keep_buffers,
            "functools": _each(
                lambda module: check_wrappers(module, attributes), copies.check_cached, copies.check_partial_methods
            ),
            "abc": _keep_registries,
            "copy": copies.check_copies,
            "ssl": _native_files.keep_certificates(natives),
            "re": _keep_patterns,
            "dataclasses": _each(_keep_methods, copies.check_fields),
            "collections": _each(_keep_tuples, copies.check_named_tuples),
            **dict.fromkeys(_GENERATORS, _generate_before_scripts),
            "typing": _each(evaluation.hints, _keep_origins, _types.hide_in_annotations),
            "inspect": evaluation.hints,
            "typing_extensions": evaluation.hints,
            "pydantic_core": models.check_calls,
            **dict.fromkeys(BUILDERS, models.check_built),
            "enum": _each(_keep_members, copies.check_members),
            "string": self._guard_fields,
            "scipy.stats._distn_infrastructure": self._run_templates,
            "scipy.stats._distribution_infrastructure": self._give_getattr,
            "pathlib": _hide_path_modules,
            "zoneinfo._common": _load_zones_by_name,
            "traceback": lambda module: _set(module, "__import__", _import_nothing),
            "plotly.graph_objs._layout": lambda module: _hide_modules(module.Layout),
            "patsy.eval": evaluation.formulas,
            "pandas.core.computation.scope": evaluation.scopes,
            "numpy.matrixlib.defmatrix": evaluation.callers,
            "numpy.lib._index_tricks_impl": evaluation.callers,
            "pandas.core.generic": lambda module: _refuse_special(module.NDFrame),
            "pandas.core.frame": _keep_managers,
            "pandas.core.computation.expr": lambda module: _set(module, "getattr", self._getter),
            "pandas.core.dtypes.dtypes": lambda module: _types.close(module.CategoricalDtypeType),
            "pandas.core.accessor": _check_accessor_names,
            **dict.fromkeys(_METHODS_BY_NAME, self._check_method_names),
            "numpy.random.bit_generator": _native_memory.keep_locks,
            "numpy.random": _native_memory.keep_generators(natives),
            "pandas.io.parsers.c_parser_wrapper": _native_memory.keep_lengths,
            **dict.fromkeys(_native_memory.LENDING, _native_memory.lend_copies),
            **dict.fromkeys(_native_memory.KEEPING, _native_memory.lend_copies_of_fortran),
            "scipy.io._fast_matrix_market": _native_files.open_matrices_in_python,
            "scipy.odr": _native_files.keep_regressions,
            "matplotlib.ft2font": _native_files.keep_fonts,
            "fontTools.ttLib.ttFont": _load_tables_of_fonts,
            "scipy.spatial._qhull": _native_files.keep_hulls,
            "scipy.optimize._milp": _native_files.keep_solvers,
            "scipy.optimize._linprog_highs": _native_files.keep_solvers,
            "scipy._lib._util": lambda module: _refuse_special(module._RichResult),
            **dict.fromkeys(_BY_DISTRIBUTION, _check_distribution_names),
            **dict.fromkeys(_LATE_LOADERS, self._load_no_floor),
            "requests.structures": lambda module: _keep_own(module.LookupDict, "get"),
            "numpy.lib._utils_impl": lambda module: _set(module, "__import__", _import_numpy),
            "pandas.compat._optional": lambda module: _set(module, "importlib", optional),
            "matplotlib.style.core": lambda module: _set(module, "importlib", _no_packages()),
            "matplotlib.pyplot": lambda module: _set(module, "importlib", importer),
            "matplotlib.backend_bases": lambda module: _set(module, "importlib", importer),
            "matplotlib.backends.registry": lambda module: _set(module, "importlib", importer),
            "pandas.plotting._core": lambda module: _set(module, "importlib", importer),
        }
        self._faults: list[PreparationFault] = []
        self._pending: dict[str, list[Callable[[Any], object]]] = {}
        for name in _deputies.NEEDED:
            self._pending[name] = [self._give_deputies]
        for name, change in changes.items():
            self._pending.setdefault(name, []).append(change)
        for name in _READING_FRAMES:
            self._pending.setdefault(name, []).append(evaluation.frames)
        for name in _deputies.KEYWORDS:
            self._pending.setdefault(name, []).append(_deputies.keep_keywords)

    def begin(self) -> None:
        """The script begins: what libraries do from now on can be its doing."""
        _importing.begin()
        for each in self._begins:
            each.begin()

    def apply(self) -> None:
        """Change what is loaded, and from now on each module when it has been executed: before others have it."""
        _importing.watch(self._change)
        for name in sorted(self._pending):
            if name in sys.modules and not _is_loading(sys.modules[name]):
                self._change(name)

    def check(self) -> None:
        """Raise the PreparationFault of a library that could not be made safe, whoever has swallowed it."""
        for fault in self._faults:
            raise fault

    def _change(self, name: str) -> None:
        changes = self._pending.get(name, [])
        try:
            while changes and name in sys.modules:
                changes[0](sys.modules[name])
                del changes[0]  # not before: what could not be changed cannot be loaded either
        except PreparationFault as fault:
            self._faults.append(fault)
            raise

    def _give_deputies(self, module: Any) -> None:
        for name in _deputies.NEEDED[module.__name__]:
            vars(module).setdefault(name, self._deputies.of(module.__name__)[name])

    def _give_getattr(self, module: Any) -> None:
        module.getattr = self._deputies.of(module.__name__)["getattr"]  # it makes classes, and sets their attributes

    def _load_no_floor(self, module: Any) -> None:
        original = module.get_module

        def get_module(name: str, should_load: bool = True) -> Any:
            exact = str.__str__(name)
            return None if _rules.import_is_floor(exact) else original(exact, should_load)

        module.get_module = get_module

    def _run_templates(self, module: Any) -> None:
        """Distributions are made with code from a template, which a subclass can replace."""
        table, template = self._table, Template(module.parse_arg_template)

        def execute(text: object, namespace: dict[str, Any], /) -> None:
            namespace["__builtins__"] = table
            exec(template.compile(text), namespace)

        module.exec = execute

    def _guard_fields(self, module: Any) -> None:
        module.getattr = self._getter  # string.Formatter reads attributes for its fields

    def _check_method_names(self, module: Any) -> None:
        rules = self._rules

        def get(obj: object, name: str, *default: object) -> object:
            exact = str.__str__(name)
            reason = _rules.attribute_refusal(exact, rules)
            if reason is None and exact.startswith("_"):
                reason = f"{exact!r} is private; name a public method"
            if reason is not None:
                raise AttributeError(reason)
            return builtins.getattr(obj, exact, *default)

        module.getattr = get


def _keep_methods(module: Any) -> None:
    """Let dataclasses execute the methods that it writes, with identifiers in them."""

    def execute(text: object, globals: dict[str, Any], locals: dict[str, Any], /) -> None:  # noqa: A002
        exec(FIELD_METHODS.compile(text, "exec"), globals, locals)

    module.exec = execute


def _keep_structs(natives: _natives.Natives) -> None:
    """Let a Struct be initialised once: an iterator over a buffer would go on with the new size, beyond the end."""
    original = vars(struct.Struct)["__init__"]

    def __init__(self: Any, format: Any) -> None:  # noqa: A002, N807
        if self.size != -1:
            raise TypeError("a Struct cannot be initialised again; make another one")
        original(self, format)

    natives.put(struct.Struct, __init__=__init__)


def _keep_variables(natives: _natives.Natives) -> None:
    """Let a context tell the value of a variable that one has, and not which variables libraries have.

    The native code of decimal believes whatever is in its one: it would read and write
    the memory of any object.
    """
    context = _contextvars.Context
    natives.drop(context, "items", "keys", "values")
    natives.drop_iteration(context)


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


def _generate_before_scripts(module: Any) -> None:
    """Let a module make functions of text for itself and others before a script begins, and for none afterwards."""

    def kept(function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            if _importing.has_begun():
                raise PermissionError(f"{module.__name__} makes no functions of text while a script runs")
            return function(*args)

        return run

    module.exec, module.eval = kept(exec), kept(eval)


def _keep_tuples(module: Any) -> None:
    """Let collections evaluate the ``__new__`` that it writes, with identifiers in it."""

    def evaluate(text: object, globals: dict[str, Any], /) -> object:  # noqa: A002
        return eval(NEW_TUPLE.compile(text, "eval"), globals)

    module.eval = evaluate


def _each(*changes: Callable[[Any], object]) -> Callable[[Any], object]:
    def change_all(module: Any) -> None:
        for change in changes:
            change(module)

    return change_all


def _set(owner: Any, name: str, value: object) -> None:
    setattr(owner, name, value)


def _is_loading(module: Any) -> bool:
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))


def _import_listed(name: str, package: str | None = None) -> object:
    """Import what a library needs; rcParams and options hold names of any module."""
    exact = str.__str__(name)  # a subclass can be equal to every text
    if exact not in IMPORTABLE:
        raise ImportError(f"{exact!r} may not be loaded by name from here", name=exact)
    builtins.__import__(exact)
    return sys.modules[exact]


def _import_optional(name: str, package: str | None = None) -> object:
    """Import what a library can do without, by a name that might come from a script."""
    exact = str.__str__(name)
    if _rules.import_is_floor(exact):
        raise ImportError(f"{exact!r} may not be loaded by name from here", name=exact)
    return importlib.import_module(exact)


def _keep_own(kind: type, name: str) -> None:
    """Let a method that reads attributes by name do so for objects of its class only: their private ones, too."""
    original = vars(kind)[name]

    @instead_of(original)
    def method(self: Any, *args: Any) -> Any:
        if not issubclass(type(self), kind):
            raise TypeError(f"{name} of {kind.__name__!r} takes one of its own objects")
        return original(self, *args)

    setattr(kind, name, method)


def _import_nothing(name: str) -> NoReturn:
    """``ImportError(name=..., name_from=...)`` would have any module imported for a better message."""
    raise ImportError(f"no module is imported to explain an error: {name!r}")


def _import_numpy(name: str, *context: object) -> object:
    """Import numpy. ``np.info(text, toplevel=name)`` looks for help in any module."""
    if str.__str__(name) != "numpy":
        raise ImportError(f"help is for what numpy has, not {name!r}", name=str.__str__(name))
    return sys.modules["numpy"]


def _no_packages() -> types.SimpleNamespace:
    """Return what stands for importlib where a style may name a package: ``os.path.x``."""

    def files(package: str) -> NoReturn:
        raise ModuleNotFoundError(f"no style is taken from a package: {package!r}", name=str(package))

    return types.SimpleNamespace(resources=types.SimpleNamespace(files=files))


def _check_distribution_names(module: Any) -> None:
    """``kstest(x, "norm")`` takes any name of a module that holds others."""
    given = vars(module).get("getattr", builtins.getattr)

    def get(obj: Any, name: str, *default: Any) -> Any:
        if type(obj) is not types.ModuleType:
            return given(obj, name, *default)
        value = vars(obj).get(str.__str__(name))
        if isinstance(value, (type, types.ModuleType)) or not hasattr(value, "cdf"):
            raise ValueError(f"{name!r} is not a distribution of scipy.stats")
        return value

    module.getattr = get


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

    def _convert_(cls: Any, name: str, module: str, *options: Any, **more: Any) -> Any:  # noqa: A002
        exact = str.__str__(module)
        if sys._getframe(1).f_globals is not vars(sys.modules[exact]):
            raise TypeError("an enumeration is written as a class here")
        return original(cls, name, exact, *options, **more)

    module.EnumType._convert_ = _convert_


def _load_tables_of_fonts(module: Any) -> None:
    """Let a font's file name modules of tables: it is what PDF with TrueType is made of (``pdf.fonttype``).

    The library reads them from their package by names that begin with an underscore.
    """
    identifier = module.tagToIdentifier

    def getTableModule(tag: Any) -> Any:  # noqa: N802
        """Fetch the packer/unpacker module for a table."""
        name = str.__str__(identifier(tag))
        if not name.isidentifier():
            return None
        try:
            return importlib.import_module(f"fontTools.ttLib.tables.{name}")
        except ModuleNotFoundError:
            return None

    module.getTableModule = getTableModule


def _load_zones_by_name(module: Any) -> None:
    """A key that is no exact text tells its parts itself: they name a package that is imported."""
    original = module.load_tzdata

    def load_tzdata(key: Any) -> Any:
        if not issubclass(type(key), str):
            raise TypeError("the key of a time zone must be a text")
        return original(str.__str__(key))

    module.load_tzdata = load_tzdata


def _hide_path_modules(module: Any) -> None:
    """``DATA.parser`` is os.path, and public."""
    for each in (module.PurePath, module.PurePosixPath, module.PureWindowsPath):
        _hide_modules(each)


def _hide_modules(owner: Any) -> None:
    """Put copies that lead nowhere in place of the modules that a class holds."""
    for name, value in list(vars(owner).items()):
        if isinstance(value, types.ModuleType):
            setattr(owner, name, _without_modules(value))


def _without_modules(real: types.ModuleType) -> types.ModuleType:
    copy = types.ModuleType(real.__name__)
    for name, value in vars(real).items():
        if not name.startswith("__") and not isinstance(value, types.ModuleType):
            setattr(copy, name, value)
    return copy


def _keep_managers(module: Any) -> None:
    """Let a table make one of a script's class from a table; of a class called GeoDataFrame pandas does from its manager."""
    frame = module.DataFrame

    def _constructor_from_mgr(self: Any, mgr: Any, axes: Any) -> Any:
        made = frame._from_mgr(mgr, axes=axes)
        return made if type(self) is frame else self._constructor(made)

    frame._constructor_from_mgr = _constructor_from_mgr


def _check_accessor_names(module: Any) -> None:
    """Let an accessor add a public name, and replace none; ``__array_interface__`` would be read by numpy."""
    original = module._register_accessor

    def register(name: str, cls: Any) -> Any:
        if type(name) is not str or name.startswith("_") or not name.isidentifier():
            raise ValueError(f"an accessor's name must be a public identifier, not {name!r}")
        if hasattr(cls, name):
            raise ValueError(f"{cls.__name__} has a {name!r} of its own; choose another name for the accessor")
        return original(name, cls)

    module._register_accessor = register


def _refuse_special(owner: Any) -> None:
    """Let ``__getattr__`` of a class that looks into its data answer no special name.

    numpy asks for ``__array_interface__``, an address of memory: a Series with a label
    of that name would give one.
    """
    original = vars(owner)["__getattr__"]

    @instead_of(original)
    def __getattr__(self: Any, name: str) -> Any:  # noqa: N807
        if name[:2] == "__" and name[-2:] == "__":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return original(self, name)

    owner.__getattr__ = __getattr__
