"""The rules as frozen data: the floor that no policy can lower, and a run's own.

A name is refused wherever it can be spelt: as an attribute, in an import, in
``getattr``, in a format field, in an expression that a library evaluates.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = [
    "BUILTINS",
    "CLASS_DUNDERS",
    "DENIED_ATTRIBUTES",
    "DENIED_BUILTINS",
    "DENIED_IMPORTS",
    "GUARDED_BUILTINS",
    "INTERPRETER_ATTRIBUTES",
    "METHOD_DUNDERS",
    "NAME_DUNDERS",
    "PRIVATE_ATTRIBUTES",
    "READABLE_DUNDERS",
    "RESERVED_NAMES",
    "Rules",
    "attribute_refusal",
    "import_is_floor",
]

DENIED_IMPORTS: Final = frozenset(
    """
    os posix nt sys builtins importlib imp runpy pkgutil zipimport site sysconfig
    subprocess multiprocessing pty tty termios signal resource fcntl mmap select selectors
    ctypes cffi code codeop inspect gc dis pdb bdb trace tracemalloc timeit doctest faulthandler
    profile cProfile pstats linecache symtable py_compile compileall
    pickle pickletools marshal shelve copyreg dbm sqlite3 dill cloudpickle joblib
    socket socketserver ssl http urllib ftplib smtplib poplib imaplib telnetlib nntplib xmlrpc
    webbrowser wsgiref asyncore asynchat
    shutil tempfile glob fileinput pathlib
    pip ensurepip venv setuptools distutils pkg_resources pydoc idlelib turtle tkinter
    antigravity this hotcell_guard
    """.split()
)
"""First parts of module names that are refused whatever the policy lists."""

IMPORT_EXCEPTIONS: Final = frozenset(("os.path", "urllib.parse"))
"""Harmless submodules of refused ones; a policy must still list them."""

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
    __build_class__ __debug__
    abs aiter all anext any ascii bin bool bytearray bytes callable chr classmethod complex dict
    dir divmod enumerate filter float format frozenset hasattr hash hex id int isinstance
    issubclass iter len list map max memoryview min next object oct ord pow print property range
    repr reversed round set slice sorted staticmethod str sum super tuple type zip
    """.split()
)
"""Builtins handed over as they are."""

GUARDED_BUILTINS: Final = frozenset(("__import__", "delattr", "getattr", "open", "setattr"))
"""Builtins replaced by a checking form of the same name."""

DENIED_BUILTINS: Final = frozenset(
    """
    __import__ breakpoint compile copyright credits eval exec exit globals help input license
    locals quit vars
    """.split()
)
"""Builtins that the script must not name, unless it binds the name itself."""

RESERVED_NAMES: Final = BUILTINS | GUARDED_BUILTINS | DENIED_BUILTINS | {"DATA", "OUTPUT", "result"}
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
    get set delete set_name init_subclass class_getitem getattr dir copy deepcopy sizeof
    """.split()
)
"""Special methods that a class body may define and call."""

CLASS_DUNDERS: Final = frozenset(("__slots__", "__hash__", "__doc__"))
"""Special names that a class body may assign, besides its methods."""

NAME_DUNDERS: Final = frozenset(("__name__", "__doc__", "__debug__", "__version__", "__author__", "__all__"))
"""Special names that may be read anywhere."""

READABLE_DUNDERS: Final = (METHOD_DUNDERS - {"__getattr__", "__dir__", "__set_name__", "__init_subclass__"}) | {
    "__class__",
    "__doc__",
    "__name__",
    "__qualname__",
    "__version__",
}
"""Special attributes that may be read; none may be assigned or deleted."""

PRIVATE_ATTRIBUTES: Final = frozenset(("_asdict", "_fields", "_make", "_replace"))
"""Public in spite of the underscore: the interface of named tuples."""

INTERPRETER_ATTRIBUTES: Final = frozenset(
    """
    f_back f_builtins f_code f_generator f_globals f_lasti f_lineno f_locals f_trace f_trace_lines
    f_trace_opcodes
    tb_frame tb_lasti tb_lineno tb_next
    gi_code gi_frame gi_running gi_suspended gi_yieldfrom
    cr_await cr_code cr_frame cr_origin cr_running cr_suspended
    ag_await ag_code ag_frame ag_running ag_suspended
    co_argcount co_branches co_cellvars co_code co_consts co_exceptiontable co_filename co_firstlineno
    co_flags co_freevars co_kwonlyargcount co_lines co_linetable co_lnotab co_name co_names co_nlocals
    co_positions co_posonlyargcount co_qualname co_stacksize co_varnames
    func_globals func_code mro
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
    attrgetter methodcaller get_type_hints make_dataclass
    CodeType FunctionType LambdaType FrameType TracebackType
    as_strided ctypeslib c_void_p PyDLL CDLL
    urlopen urlretrieve read_clipboard to_clipboard read_sql read_sql_query read_sql_table
    """.split()
)
"""Names that give other modules, processes, native code, memory or deserialisers.

They are compared without leading and trailing underscores.
"""


class Rules:
    """What one run may name: the policy's words over the floor. Immutable."""

    __slots__ = ("attributes", "builtins", "imports")

    def __init__(self, imports: frozenset[str], builtins: frozenset[str], attributes: frozenset[str]) -> None:
        self.imports = frozenset(name for name in imports if not import_is_floor(name))
        self.builtins = DENIED_BUILTINS | builtins
        self.attributes = DENIED_ATTRIBUTES | attributes


def import_is_floor(name: str) -> bool:
    """Tell whether no policy can allow this dotted name."""
    return name not in IMPORT_EXCEPTIONS and name.partition(".")[0] in DENIED_IMPORTS


def attribute_refusal(name: str, rules: Rules) -> str | None:
    """Return why no object's attribute of this name may be read, or None."""
    if name.startswith("__") and name.endswith("__"):
        if name in READABLE_DUNDERS:
            return None
        return f"the special attribute {name!r} is not available; use the public interface of the object"
    if name in INTERPRETER_ATTRIBUTES:
        return f"{name!r} belongs to the interpreter's internals; it is not available"
    if name.strip("_") in rules.attributes or name in rules.attributes:
        return f"the attribute {name!r} is not available; for a column of that name write df[{name!r}]"
    return None
