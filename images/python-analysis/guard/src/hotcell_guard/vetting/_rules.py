"""The rules as frozen data: the floor that no policy can lower, and a run's own.

A name is refused wherever it can be spelt: as an attribute, in an import, in
``getattr``, in a format field, in an expression that a library evaluates.
"""

from __future__ import annotations

from hotcell_guard.vetting import _phrases
from hotcell_guard.vetting._floor import IMPORT_STAND_INS, import_is_floor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

__all__ = [
    "BOUND_METHODS",
    "BUILTINS",
    "CLASS_CONTAINERS",
    "CLASS_DUNDERS",
    "CLASS_STATEMENT_DUNDERS",
    "DENIED_ATTRIBUTES",
    "DENIED_BUILTINS",
    "GUARDED_ATTRIBUTES",
    "GUARDED_BUILTINS",
    "GUARDED_METHODS",
    "INTERPRETER_ATTRIBUTES",
    "METHOD_DUNDERS",
    "NAME_DUNDERS",
    "PRIVATE_ATTRIBUTES",
    "READABLE_DUNDERS",
    "RESERVED_NAMES",
    "RULES",
    "RUN_NAMES",
    "STYLES",
    "SYNTAX_ADVICE",
    "WRITABLE_DUNDERS",
    "Rules",
    "attribute_refusal",
    "is_dunder",
    "is_private",
    "pattern_refusal",
]

BUILTINS: Final = frozenset(
    """
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
    ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning
    EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError
    FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning
    IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt
    LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented
    NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError
    ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning
    RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning
    SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError
    UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning
    UserWarning ValueError Warning ZeroDivisionError
    __debug__
    abs aiter all anext any ascii bin bool bytearray bytes callable chr classmethod complex dict
    divmod enumerate filter float format frozenset hash hex id int isinstance
    issubclass iter len list map max memoryview min next object oct ord pow print property range
    repr reversed round set slice sorted staticmethod str sum super tuple zip
    """.split()
)
"""Builtins handed over as they are."""

GUARDED_BUILTINS: Final = frozenset(
    """
    __build_class__ __import__ delattr dir exit getattr globals hasattr input locals open quit setattr type vars
    """.split()
)
"""Builtins replaced by a checking form of the same name."""

DENIED_BUILTINS: Final = frozenset(
    """
    __import__ breakpoint compile copyright credits eval exec help license
    """.split()
)
"""Builtins that the script must not name, unless it binds the name itself."""

RUN_NAMES: Final = frozenset(("DATA", "OUTPUT", "ToolError", "context", "data", "final_answer", "result"))
"""What a run's own things are called."""

RESERVED_NAMES: Final = BUILTINS | GUARDED_BUILTINS | DENIED_BUILTINS | RUN_NAMES
"""What a table cannot be called."""

METHOD_DUNDERS: Final = frozenset(
    f"__{name}__"
    for name in """
    init new post_init repr str bytes format hash bool len length_hint iter next reversed contains
    getitem setitem delitem missing call enter exit aenter aexit aiter anext await
    lt le eq ne gt ge
    add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or
    radd rsub rmul rmatmul rtruediv rfloordiv rmod rdivmod rpow rlshift rrshift rand rxor ror
    iadd isub imul imatmul itruediv ifloordiv imod ipow ilshift irshift iand ixor ior
    neg pos abs invert complex int float index round trunc floor ceil
    del get set delete set_name init_subclass class_getitem getattr setattr delattr dir copy deepcopy sizeof
    array array_ufunc array_function array_wrap array_finalize
    sklearn_is_fitted sklearn_tags sklearn_clone subclasshook getstate setstate cmp nonzero unicode div
    """.split()
)
"""Special methods that a class body may define and call.

Left out are those that hand a callable or a memory address to native code or to
``copy`` (``__reduce__``, ``__array_interface__``), that make an object lie about what
it is (``__class__``, ``__instancecheck__``, ``__getattribute__``). A finalizer runs whenever its
object goes, as a weak reference's callback and the end of a generator do.
"""

CLASS_STATEMENT_DUNDERS: Final = frozenset(
    """
    __annotations__ __classcell__ __dataclass_fields__ __dataclass_params__ __firstlineno__ __module__
    __orig_bases__ __parameters__ __qualname__ __replace__ __static_attributes__ __type_params__
    """.split()
)
"""What the class statement itself, ``typing`` and ``dataclass(slots=True)`` put into
a class's namespace."""

CLASS_DUNDERS: Final = frozenset(("__slots__", "__hash__", "__doc__", "__match_args__", "__array_priority__", "__test__"))
"""Special names that a class body may assign, besides its methods."""

NAME_DUNDERS: Final = frozenset(("__name__", "__doc__", "__file__", "__debug__", "__version__", "__author__", "__all__"))
"""Special names that may be read anywhere."""

CLASS_CONTAINERS: Final = frozenset(
    "_field_defaults _ignore_ _member_map_ _member_names_ _metadata _value2member_map_".split()
)
"""Private names that are public (below), of lists and dicts that a class holds: of a library's class one reads a copy."""

_UNREAD_METHODS: Final = frozenset(
    "__del__ __delattr__ __dir__ __getattr__ __getstate__ __set_name__ __setattr__ __setstate__ __subclasshook__".split()
)

GUARDED_METHODS: Final = METHOD_DUNDERS - _UNREAD_METHODS
"""Special methods that may be read: those of a library's class ask what they are called with."""

BOUND_METHODS: Final = GUARDED_METHODS - frozenset(
    "__new__ __get__ __set__ __delete__ __array_ufunc__ __array_function__".split()
)
"""Those of which a bound method does nothing to any other object."""

GUARDED_ATTRIBUTES: Final = CLASS_CONTAINERS | GUARDED_METHODS | frozenset(
    """
    __annotations__ __args__ __bases__ __class__ __dataclass_fields__ __defaults__ __del__ __delattr__ __dict__ __func__
    __getstate__ __kwdefaults__ __metadata__ __mro__ __orig_bases__ __origin__ __parameters__ __self__ __setattr__ __setstate__
    __subclasses__ __traceback__ __wrapped__
    __code__.co_argcount __code__.co_kwonlyargcount __code__.co_posonlyargcount __code__.co_varnames __code__.co_name
    format format_map mro obj resize with_traceback
    """.split()
)
"""Attributes whose safety depends on the object: read by the run's guarded getattr.

``str.format`` reads attributes by another spelling, the ``obj`` of an AttributeError
is whatever object some library looked at, the traceback of an exception is one step
from frames, ``resize`` of an array moves memory that others look at, ``__dict__`` and ``__setattr__`` write
without a check, and so do ``__class__`` and ``__new__`` of a class make classes.
A special method of a library's class, such as ``__init__``, does to any object what it
does to its own when it is called with it.
"""

READABLE_DUNDERS: Final = GUARDED_METHODS | frozenset(
    """
    __abstractmethods__ __annotations__ __array_namespace_info__ __cause__ __context__ __dataframe__ __doc__
    __isabstractmethod__ __match_args__ __members__ __module__ __name__ __notes__ __optional_keys__ __qualname__
    __required_keys__ __slots__ __stderr__ __stdin__ __stdout__ __suppress_context__ __total__ __type_params__ __version__
    __version_info__
    """.split()
)
"""Special attributes that may be read without a look at the object."""

WRITABLE_DUNDERS: Final = frozenset(("__doc__", "__name__", "__qualname__"))
"""Special attributes of the script's own functions and classes that it may set."""

PRIVATE_ATTRIBUTES: Final = frozenset(
    """
    _asdict _field_defaults _fields _make _replace
    _generate_next_value_ _ignore_ _member_map_ _member_names_ _missing_ _name_ _order_ _value2member_map_ _value_
    _merge _metadata
    _repr_html_ _repr_jpeg_ _repr_json_ _repr_latex_ _repr_markdown_ _repr_png_ _repr_svg_
    """.split()
)
"""Public in spite of the underscore: the documented interfaces of named tuples and enumerations, the column that
``DataFrame.merge(indicator=True)`` makes, what a DataFrame's subclass keeps, and what notebooks show of an object."""

STYLES: Final = frozenset(("_Base", "_Bracket", "_Curve", "_style_list"))
"""Of matplotlib's styles of boxes, arrows and connections: the table that ``get_styles`` gives, and the classes from
which an example's own arrow inherits. Which class holds one is seen when it is read."""

INTERPRETER_ATTRIBUTES: Final = frozenset(
    """
    f_back f_builtins f_code f_generator f_globals f_lasti f_lineno f_locals f_trace f_trace_lines
    f_trace_opcodes
    tb_frame tb_lasti tb_next
    gi_code gi_frame gi_running gi_suspended gi_yieldfrom
    cr_await cr_code cr_frame cr_origin cr_running cr_suspended
    ag_await ag_code ag_frame ag_running ag_suspended
    co_argcount co_branches co_cellvars co_code co_consts co_exceptiontable co_filename co_firstlineno
    co_flags co_freevars co_kwonlyargcount co_lines co_linetable co_lnotab co_name co_names co_nlocals
    get_stack print_stack
    co_positions co_posonlyargcount co_qualname co_stacksize co_varnames
    func_globals func_code _abc_impl
    """.split()
)
"""Frames, tracebacks and code objects lead to every module's globals.

Spelt out, not by prefix: ``f_test`` and ``f_pvalue`` are statistics.
"""

DENIED_ATTRIBUTES: Final = frozenset(
    """
    os posix nt sys builtins importlib imp runpy pkgutil subprocess multiprocessing pty signal_handler
    ctypes cffi inspect gc pdb timeit doctest linecache faulthandler pickle cPickle marshal shelve
    dill cloudpickle joblib shutil tempfile socket socketserver ssl http urllib webbrowser
    f2py distutils sysconfig import_module find_spec exec_module load_module load_library
    import_optional_dependency
    system popen Popen popen2 check_output check_call getoutput fork forkpty posix_spawn
    execv execve execvp execl startfile kill killpg
    read_pickle to_pickle load_pickle save_pickle unpickle Unpickler Pickler
    attrname
    CodeType FunctionType LambdaType FrameType TracebackType
    ctypeslib c_void_p PyDLL CDLL
    urlopen urlretrieve read_clipboard to_clipboard read_sql read_sql_query read_sql_table
    """.split()
)
"""Names that give other modules, processes, native code, memory or deserialisers.

They are compared without leading and trailing underscores.
"""


_OF_STAND_INS: Final[Mapping[str, tuple[str, ...]]] = {
    "importlib": ("import_module",), "importlib.util": ("find_spec",), "timeit": ("timeit",), "doctest": ("doctest",),
    "sqlite3": ("read_sql", "read_sql_query"), "gc": ("gc",), "platform": ("system",), "types": ("FunctionType", "LambdaType"),
}  # fmt: skip
"""Of these names, those that the guard's own modules have, or pandas for them: read where a policy lists the module."""


_TEXTS: Final = frozenset(("__import__", "compile", "eval", "exec"))
"""Builtins that run text or import by name: they check it as a script where a policy lists the guard's own module builtins."""


class Rules:
    """What one run may name: the policy's words over the floor. Immutable."""

    __slots__ = ("attributes", "builtins", "imports", "inputs", "left_out", "loaded", "syntax")

    def __init__(
        self,
        imports: frozenset[str],
        builtins: frozenset[str],
        attributes: frozenset[str],
        syntax: frozenset[str] = frozenset(),
        inputs: str = "none",
        left_out: frozenset[str] = frozenset(),
    ) -> None:
        self.left_out = left_out  # modules of the policy that the request does without: for words alone
        self.inputs = inputs  # where what a person would be asked for is found
        self.syntax = syntax
        self.imports = frozenset(name for name in imports if not import_is_floor(name))
        self.loaded = self.imports - (IMPORT_STAND_INS - {"sqlite3"})  # nothing of Python's is behind those
        self.builtins = (DENIED_BUILTINS - (_TEXTS if "builtins" in imports else frozenset())) | builtins
        own = frozenset(name for module in imports & _OF_STAND_INS.keys() for name in _OF_STAND_INS[module])
        self.attributes = (DENIED_ATTRIBUTES - own) | attributes


def is_dunder(name: str) -> bool:
    """Tell whether name has the form of Python's special names."""
    return name.startswith("__") and name.endswith("__")


def is_private(name: str) -> bool:
    """Tell whether name is private by convention, special and exempt names aside."""
    return name.startswith("_") and not is_dunder(name) and name not in PRIVATE_ATTRIBUTES


def attribute_refusal(name: str, rules: Rules) -> str | None:
    """Return why no object's attribute of this name may be read, or None.

    None is no leave for private and guarded names: those depend on the object.
    """
    if is_dunder(name):
        if name in READABLE_DUNDERS or name in GUARDED_ATTRIBUTES:
            return None
        instead = _phrases.ATTRIBUTES.get(name, "use the public interface of the object")
        return f"the special attribute {name!r} is not available; {instead}"
    if name in INTERPRETER_ATTRIBUTES:
        return f"{name!r} belongs to the interpreter's internals; it is not available"
    if name.strip("_") in rules.attributes or name in rules.attributes:
        return f"the attribute {name!r} is not available; {_instead_of(name)}"
    return None


def _instead_of(name: str) -> str:
    said = _phrases.ATTRIBUTES.get(name)
    column = f"for a column of that name write df[{name!r}]"
    if said is None:
        return column
    return said if name in _phrases.COLUMNS else f"{said}; {column}"


def pattern_refusal(name: str, rules: Rules) -> str | None:
    """Return why a class pattern cannot read the attribute, or None.

    A pattern calls no function of ours, and ABCs make any object match, so nothing
    whose safety depends on the object can be read.
    """
    if name in GUARDED_ATTRIBUTES:
        return f"the attribute {name!r} cannot be read in a pattern; read it in an expression"
    if is_private(name):
        return f"{name!r} is private; a pattern reads public attributes"
    return attribute_refusal(name, rules)


SYNTAX_ADVICE: Final[Mapping[str, str]] = {
    "Global": "'global' is not available; pass the value as an argument and return the new one",
    "Nonlocal": "'nonlocal' is not available; keep the value in a list, a dict or an object's attribute",
    "Import": "'import' is not available; the modules of this policy are bound to their names already",
    "ImportFrom": "'from ... import' is not available; the modules of this policy are bound to their names already",
    "ClassDef": "classes cannot be defined; use functions, tuples and dicts",
    "FunctionDef": "functions cannot be defined; write the statements one after the other",
    "AsyncFunctionDef": "'async def' is not available; use 'def'",
    "AsyncFor": "'async for' is not available; use 'for'",
    "AsyncWith": "'async with' is not available; use 'with'",
    "Await": "'await' is not available; call the function itself",
    "Lambda": "'lambda' is not available; use 'def'",
    "While": "'while' is not available; use 'for' over a range",
    "With": "'with' is not available; call the object's methods",
    "Try": "'try' is not available; check the value before its use",
    "TryStar": "'except*' is not available; check the value before its use",
    "Raise": "'raise' is not available; print a message or set a result that says what is wrong",
    "Assert": "'assert' is not available; use 'if'",
    "Delete": "'del' is not available; bind the name to None",
    "Match": "'match' is not available; use 'if' and 'elif'",
    "NamedExpr": "':=' is not available; assign in a statement of its own",
    "Yield": "'yield' is not available; return a list",
    "YieldFrom": "'yield from' is not available; return a list",
    "GeneratorExp": "generator expressions are not available; write a list comprehension",
    "ListComp": "list comprehensions are not available; use 'for' and append",
    "SetComp": "set comprehensions are not available; use 'for' and add",
    "DictComp": "dict comprehensions are not available; use 'for' and assign the items",
    "JoinedStr": "f-strings are not available; use str() and '+'",
    "Starred": "'*' in front of a value is not available; name the items",
    "TypeAlias": "'type' statements are not available; assign the type to a name",
}
"""Node classes that a policy may deny, each with what to write instead."""

RULES: Final[Mapping[str, str]] = {
    "import.denied": (
        "The script imports a module or a name that the policy does not list by its exact dotted name, a private "
        "name, everything (*) of a module for which that is not known, or something relative. Some modules "
        "(processes, network, native code, interpreter internals, deserialisers) cannot be listed by any policy. "
        "Import what the message names instead."
    ),
    "builtin.denied": (
        "The script names a builtin function that runs text as code, asks a person or opens the interpreter: eval, "
        "exec, compile, input, breakpoint and the like, or one that the policy denies. Write the code itself, or use "
        "json.loads or ast.literal_eval for data."
    ),
    "attribute.denied": (
        "The script reads or changes an attribute that leads to modules, processes, native code, frames or the "
        "interpreter's internals, a private attribute of an object that is not its own, or a special name that is "
        "reserved. The rule holds for every spelling: attribute, pattern, format field, getattr. Use the public "
        "interface of the object; write df['name'] for a column of that name."
    ),
    "name.reserved": (
        "The script gives another meaning, at its own level, to a name that this and later steps need: a tool's, print "
        "or final_answer; or anywhere to super. Choose another name; inside of a function all but super are yours."
    ),
    "syntax.denied": (
        "The policy denies this kind of statement or expression. The message says what to write instead."
    ),
    "syntax.error": "Python cannot compile the script. The message is Python's own, or says what else the line is.",
    "node.unclassified": (
        "The script uses syntax that this version of the guard does not know. Nothing that has not been looked at is "
        "accepted. Write it another way."
    ),
    "source.encoding": "The script is not valid UTF-8. Save it as UTF-8.",
    "source.bom": "The script begins with a byte order mark. Save it as UTF-8 without one.",
    "source.nul": "The script holds a NUL character, at which some tools stop reading. Remove it.",
    "source.control": (
        "The script holds a control character (a carriage return without a line feed, a form feed, ...), which editors "
        "show differently from how Python reads it. Remove it, or write its escape in the string."
    ),
    "source.bidi": (
        "The script holds an invisible character that makes text appear in another order than it runs "
        "(CVE-2021-42574). Write its escape in the string."
    ),
    "source.coding": "The script asks for an encoding other than UTF-8 in a coding comment. Remove the comment.",
    "source.complexity": (
        "The script is too large or too deeply nested to be checked within bounds. Split long expressions into "
        "statements, and put data into files."
    ),
    "source.unchecked": (
        "The check itself could not be completed, so the script may not run. Simplify the statement that is unusual."
    ),
}
"""Every rule id that the vetting reports, with one paragraph of help."""
