"""What is taken from the process before user code begins, and what stands in for it.

A script that got past the guard holds what the process holds. What neither a library
nor the guard needs from then on is not there any more: programs, signals, links, modes
and limits, native code and raw memory, tracing and counting, the making of built-in and
native modules anew, and the guard's own modules. The protocol's descriptors cannot be
used by number. In place of a function stands one that says so, because libraries ask
for functions when they are imported, and treat a refusal when they call them.
"""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
from types import ModuleType, SimpleNamespace

from hotcell_guard.confining import _immutable, _lock
from hotcell_guard.libraries import _array_interface, _natives, _ranges
from hotcell_guard.speaking._seal import door, outermost

# pylint: disable=used-before-assignment  # sealed functions get their constants by name
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final, NoReturn

    Native = tuple[Any, Any]
    """_lock and _fork."""
    StandIns = Mapping[tuple[str, str], Any]
    """Functions by the module and the name of what each stands for."""

    # The constants of what is sealed here.
    CALL: Any
    CLOSED: frozenset[int]
    EACCES: int
    NAME: str
    REASON: str

__all__ = ["hide_native", "let_go", "take_away", "take_away_before_forks"]

_TAKEN: Final = {
    "posix": """
        abort chdir chmod chown chroot closerange copy_file_range eventfd eventfd_read eventfd_write execv execve
        fchdir fchmod fchown fork forkpty getxattr initgroups kill killpg lchmod lchown link listxattr lockf login_tty
        memfd_create mkfifo mknod nice openpty pidfd_open pipe pipe2 posix_openpt posix_spawn posix_spawnp ptsname
        grantpt unlockpt removexattr sched_setaffinity sched_setparam
        sched_setscheduler sendfile setegid seteuid setgid setgroups setns setpgid setpriority setregid setresgid
        setresuid setreuid setsid setuid setxattr splice symlink system tcsetpgrp timerfd_create timerfd_gettime
        timerfd_gettime_ns timerfd_settime timerfd_settime_ns umask unshare wait wait3 wait4 waitid waitpid
    """,
    "os": """
        execl execle execlp execlpe execvp execvpe popen spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe
    """,
    "_signal": """
        alarm pause pidfd_send_signal pthread_kill pthread_sigmask raise_signal setitimer siginterrupt signal
        sigpending sigtimedwait sigwait sigwaitinfo
    """,
    "signal": "pthread_sigmask sigpending sigwait signal",
    "faulthandler": """
        cancel_dump_traceback_later disable dump_traceback dump_traceback_later enable register unregister
        _fatal_error_c_thread _read_null _sigabrt _sigfpe _sigsegv _stack_overflow
    """,
    "_posixsubprocess": "fork_exec",
    "syslog": "openlog syslog closelog setlogmask",
    "_tracemalloc": "start stop _get_traces _get_object_traceback",
    "resource": "setrlimit prlimit",
    "fcntl": "ioctl lockf flock",
    "gc": "set_debug get_objects get_referrers",
    "marshal": "dump dumps load",
    "sys": """
        settrace setprofile _settraceallthreads _setprofileallthreads addaudithook activate_stack_trampoline
        deactivate_stack_trampoline call_tracing set_coroutine_origin_tracking_depth setdlopenflags _current_frames
        _current_exceptions setswitchinterval
    """,
    "_thread": "interrupt_main",
    "_imp": """
        create_builtin exec_builtin create_dynamic exec_dynamic get_frozen_object
        _override_frozen_modules_for_tests _override_multi_interp_extensions_check
    """,
    "_interpreters": "create destroy exec run_string run_func call new_config",
    "_testcapi": "run_in_subinterp",
    "_posixshmem": "shm_open shm_unlink",
}
"""Functions by module; what a module does not have is skipped."""

_PROGRAMS: Final = frozenset(
    "execv execve fork forkpty pipe pipe2 posix_spawn posix_spawnp system popen fork_exec".split()
)
"""What libraries call on behalf of ordinary scripts that want another program."""

_BY_DESCRIPTOR: Final = {
    "posix": """
        read write pread pwrite readv writev preadv pwritev dup dup2 close ftruncate posix_fallocate set_blocking
        set_inheritable fdatasync fsync isatty
    """,
    "fcntl": "fcntl",
}
"""Functions whose first argument is a descriptor: for any but the protocol's."""

_UNMAPPED: Final = "failed to map segment from shared object"
"""What the dynamic loader says under the lock; _lock has advice for it."""

_NATIVE: Final = frozenset(("create_dynamic", "exec_dynamic"))

_BUILTIN_FOR_PROGRAMS: Final = frozenset(("_symtable", "_tracemalloc", "syslog", "faulthandler"))
"""Built-in modules that no library needs, and that are not loaded for it."""

_NEEDED_LATER: Final = ("importlib.util", "importlib.machinery", "importlib.abc", "zipimport", "runpy")
"""Modules of the interpreter's own, which can be made only while frozen ones can."""


def take_away(descriptors: frozenset[int]) -> None:
    """Take out what no library needs while user code runs. There is no way back."""
    _load_what_cannot_be_made()
    _immutable.seal_classes()
    stand_ins = _stand_ins(descriptors)
    _forget_native()
    _take_all(stand_ins)


def take_away_before_forks(descriptors: frozenset[int]) -> Native:
    """Take out of a template all that its forks need not have for their own way into a sandbox.

    To look at everything in the process, as taking and forgetting do, writes to nearly
    all of it: done in each fork, none of it would be shared any more. What the forks
    need of native code is loaded anew behind all that the collector looks at no more,
    so that let_go finds it quickly.
    """
    _load_what_cannot_be_made()
    _immutable.seal_classes()
    stand_ins = _stand_ins(descriptors)
    _forget_native()
    gc.disable()
    native = _native_anew()
    _take_all(stand_ins)
    return native


def let_go(native: Native) -> None:
    """Let go, in a fork, of what take_away_before_forks has left."""
    for module in native:
        for name in _HOLDERS & vars(module).keys():
            setattr(module, name, None)
    gc.enable()
    gc.collect(0)  # all that is not frozen is young; an older one would empty what Python keeps for reuse, all over the heap
    gc.freeze()


def _native_anew() -> Native:
    """Load the modules that make system calls once more, with the real ctypes under them."""
    hidden = {name: sys.modules.pop(name) for name in ("ctypes", "_ctypes")}
    try:
        for name in _NATIVE_MODULES:
            sys.modules.pop(name, None)
        lock, fork = (importlib.import_module(name) for name in _NATIVE_MODULES)
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] in hidden]:
            del sys.modules[name]
        sys.modules.update(hidden)
    return lock, fork


def _take_all(stand_ins: StandIns) -> None:
    real: dict[int, object] = {}
    originals = []  # none of them ends meanwhile, so that its id stays its own
    for (module, name), stand_in in stand_ins.items():
        home = vars(sys.modules[module])
        originals.append(home[name])
        real[id(home[name])] = home[name] = stand_in
    _forget(real)
    _stop_counting()
    _take_guard()


def _load_what_cannot_be_made() -> None:
    for name in sys.builtin_module_names:
        if name not in _BUILTIN_FOR_PROGRAMS and sys.modules.get(name, sys) is not None:
            importlib.import_module(name)
    for name in _NEEDED_LATER:
        importlib.import_module(name)


def _stand_ins(descriptors: frozenset[int]) -> StandIns:
    """Make what stands in the place of what is taken: before a template's freeze, so that no fork looks at it."""
    made: dict[tuple[str, str], Any] = {}
    for module, names in _TAKEN.items():
        home = "os" if module == "posix" else module.lstrip("_")
        for name in names.split():
            if _has(module, name):
                made[module, name] = _stand_in(f"{home}.{name}", name)
    for module, names in _BY_DESCRIPTOR.items():
        for name in names.split():
            if _has(module, name):
                call = vars(sys.modules[module])[name]
                made[module, name] = door(_by_descriptor, CALL=call, CLOSED=descriptors, EACCES=errno.EACCES)
    made["_signal", "set_wakeup_fd"] = outermost(_no_wakeup, REASON=_reason("signal.set_wakeup_fd"), EACCES=errno.EACCES)
    made["posix", "open"] = door(_opened, CALL=vars(sys.modules["posix"])["open"], EACCES=errno.EACCES)
    return made


def _has(module: str, name: str) -> bool:
    return module in sys.modules and vars(sys.modules[module]).get(name) is not None


def _stand_in(full: str, name: str) -> Any:
    if name in _NATIVE:
        return outermost(_unmapped, NAME=_UNMAPPED)
    why = "; no other program can be started" if name in _PROGRAMS else ""
    return outermost(_refused, REASON=_reason(full) + why, EACCES=errno.EACCES)


def _reason(full: str) -> str:
    return f"{full} is not available in this run: it was taken from this process"


def _refused(*arguments: object, **options: object) -> NoReturn:
    raise PermissionError(EACCES, REASON)


def _no_wakeup(*arguments: object, **options: object) -> int:
    """Set no descriptor, as asyncio asks when it is forked. None was set before."""
    if len(arguments) == 1 and type(arguments[0]) is int and arguments[0] == -1 and not options:
        return -1
    raise PermissionError(EACCES, REASON)


def _unmapped(spec: Any) -> NoReturn:
    raise ImportError(f"{spec.name}: {NAME}", name=spec.name, path=spec.origin)


def _by_descriptor(number: int, *arguments: Any, **options: Any) -> Any:
    if type(number) is not int or number in CLOSED or (arguments and arguments[0] in CLOSED and len(arguments) < 3):
        raise PermissionError(EACCES, "this descriptor cannot be used: it was taken from this process")
    return CALL(number, *arguments, **options)


def _opened(*arguments: Any, **options: Any) -> Any:
    if options.get("dir_fd") is not None:  # the audit event does not tell it
        raise PermissionError(EACCES, "dir_fd is not available in this run: it was taken from this process")
    return CALL(*arguments, **options)


def _forget(real: dict[int, object]) -> None:
    """Take the functions from where else modules keep them: dicts, sets and lists at their top."""
    for home, module in list(sys.modules.items()):
        if home.partition(".")[0] == "hotcell_guard" or not isinstance(module, ModuleType):
            continue
        for name, value in list(vars(module).items()):
            if id(value) in real:
                vars(module)[name] = real[id(value)]
            elif type(value) is set:
                for each in [each for each in value if id(each) in real]:
                    value.discard(each)
    if "shutil" in sys.modules:
        vars(sys.modules["shutil"])["_use_fd_functions"] = False  # they open relative to a directory's descriptor
    vars(sys.modules["_imp"])["_fix_co_filename"] = outermost(_nothing)
    for each in (sys.modules["posix"], os):  # nothing forks; random and logging ask for it when they are imported
        vars(each)["register_at_fork"] = outermost(_nothing)
    vars(sys.modules["gc"]).pop("callbacks", None)


def _nothing(*arguments: object, **options: object) -> None:
    pass


def _stop_counting() -> None:
    """Leave of sys.monitoring its numbers."""
    events = sys.monitoring.events
    sys.modules.pop("sys.monitoring", None)
    vars(sys)["monitoring"] = SimpleNamespace(events=events)


def _forget_native() -> None:
    """Let go of ctypes. Its types refer to each other, so only the collector removes them."""
    _natives.close()
    for module in (_immutable, _natives, _lock, _array_interface, _ranges):
        for name in _HOLDERS & vars(module).keys():
            vars(module)[name] = None  # also what was not used, as without numpy
    _collect()


def _collect() -> None:
    gc.enable()
    gc.collect()
    gc.freeze()  # what libraries have made by now stays, and need not be looked at again


_HOLDERS: Final = frozenset("ctypes _Place _Memory _Message _Vector _memory _Program _Kernel _kernel _natives".split())
_NATIVE_MODULES: Final = ("hotcell_guard.confining._lock", "hotcell_guard.confining._fork")


def _take_guard() -> None:
    """Let no name lead to the guard's own modules; what is imported anew is without state."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "hotcell_guard"]:
        del sys.modules[name]


_TYPES: Final = (
    "Array Structure Union c_bool c_byte c_char c_char_p c_double c_float c_int c_int16 c_int32 c_int64 c_int8 c_long "
    "c_longdouble c_longlong c_short c_size_t c_ssize_t c_time_t c_ubyte c_uint c_uint16 c_uint32 c_uint64 c_uint8 "
    "c_ulong c_ulonglong c_ushort c_void_p c_voidp c_wchar c_wchar_p py_object BigEndianStructure "
    "LittleEndianStructure "
    "BigEndianUnion LittleEndianUnion CDLL PyDLL LibraryLoader ArgumentError _CFuncPtr _SimpleCData _Pointer CFuncPtr"
).split()
_FUNCTIONS: Final = (
    "CFUNCTYPE PYFUNCTYPE POINTER SetPointerType addressof alignment byref cast create_string_buffer "
    "create_unicode_buffer get_errno memmove memset pointer resize set_errno sizeof string_at wstring_at"
).split()


def hide_native() -> None:
    """Put modules that can do nothing in place of ctypes, before libraries are imported.

    numpy and scipy want its types in order to recognise arguments that nobody has here.
    What is real of it, the lock and the array interface hold until they are done.
    """
    gc.disable()  # until take_away: while modules are loaded it finds nothing, and takes a third of the time
    module = ModuleType("ctypes")
    for name in _TYPES:
        vars(module)[name] = type(name, (), {"__module__": "ctypes", "__init__": _no_native})
    for name in _FUNCTIONS:
        vars(module)[name] = _no_native
    vars(module)["c_void_p"] = _Address
    vars(module).update(CFUNCTYPE=_type_of_functions, POINTER=_type_of_pointers, sizeof=_size, cast=_cast)
    vars(module).update(__version__="1.1.0", RTLD_LOCAL=0, RTLD_GLOBAL=256)
    for name in [name for name in sys.modules if name.startswith("ctypes.")]:
        del sys.modules[name]
    sys.modules["ctypes"] = sys.modules["_ctypes"] = module
    # Time zones in C write into whatever a cache of a subclass of the script's answers with.
    sys.modules["_zoneinfo"] = None  # type: ignore[assignment]  # zoneinfo takes its Python for it
    # Trees of XML in C go on with elements that a comparison of the script's has removed meanwhile.
    sys.modules["_elementtree"] = None  # type: ignore[assignment]
    _take_ordered_dicts()


def _take_ordered_dicts() -> None:
    """Let ordered dicts be those written in Python. Those in C go on where a comparison of two keys has emptied them."""
    native = vars(importlib.import_module("_collections")).pop("OrderedDict", None)
    if native is None:
        return  # taken already
    again, spec = ModuleType("collections"), vars(importlib.import_module("collections"))["__spec__"]
    vars(again).update(__spec__=spec, __package__=spec.name, __file__=spec.origin)
    spec.loader.exec_module(again)  # which now finds no other
    written: Any = vars(again)["OrderedDict"]
    for holder in [each for each in sys.modules.values() if each is not None]:
        for name in [name for name, value in vars(holder).items() if value is native]:
            vars(holder)[name] = written


class _Address:
    """An address as a number: what ``ndarray.ctypes.data`` is made of."""

    def __init__(self, value: int | None = None) -> None:
        self.value = value


def _size(kind: type) -> int:
    """Return the size of one of C's types: libraries compare those of pointers and integers."""
    name = kind.__name__.removeprefix("c_").removeprefix("u")
    return _SIZES.get(name, 8)


_SIZES: Final = {
    "bool": 1, "byte": 1, "char": 1, "short": 2, "int": 4, "float": 4, "wchar": 4, "int8": 1, "int16": 2, "int32": 4,
}  # fmt: skip


def _cast(value: object, kind: object) -> object:
    """Return nothing that can be used: scipy keeps test functions of its own like this."""
    return object()


def _no_native(*arguments: object, **options: object) -> NoReturn:
    raise PermissionError(errno.EACCES, "ctypes is not available in this run: it was taken from this process")


def _type_of_functions(*types: object, **options: object) -> type:
    base: Any = vars(sys.modules["ctypes"])["_CFuncPtr"]
    return type("CFunctionType", (base,), {})


def _type_of_pointers(kind: object) -> type:
    base: Any = vars(sys.modules["ctypes"])["_Pointer"]
    return type("LP", (base,), {})
