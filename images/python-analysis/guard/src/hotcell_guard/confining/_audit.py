"""The audit hook (PEP 578): what libraries do, whoever asked them to.

It is a tripwire, not a wall: the Python manual says that hooks do not make a
sandbox. What it stops are files outside the zones, processes, sockets, native
code, deserialised classes and unchecked text that becomes code.

The hook is a sealed function (``_seal``) that calls sealed functions and C functions
only, so that a script which holds all of Python finds nothing of it to change. Whose
frame it is that asks is told by the file of the frame's code, and no code says that it
comes from the image but what the image holds: see ``_judges.compiled``.
"""

from __future__ import annotations

import errno
import os
import posix
import re
import sys
from _ast import AST
from types import BuiltinFunctionType, CellType, CodeType, FrameType, FunctionType, MethodType

from hotcell_guard.confining import _judges
from hotcell_guard.libraries import _lookups
from hotcell_guard.speaking._seal import DOOR, GLOBALS, outermost, sealed
from hotcell_guard.vetting import _helpers, _vet
from hotcell_guard.vetting._violations import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Final

    from hotcell_guard.granting._files import Zones
    from hotcell_guard.vetting import _rules

    Hook = Callable[[str, tuple[object, ...]], None]

__all__ = ["DECIDED", "add", "install", "make"]

_REFUSED_EVENTS: Final = frozenset(
    """
    os.system os.exec os.fork os.forkpty os.posix_spawn os.spawn os.startfile os.kill os.killpg
    os.chdir os.fchdir os.chroot os.chmod os.chown os.lchmod os.lchown os.link os.symlink os.mkfifo os.mknod
    os.setxattr os.removexattr os.getxattr os.listxattr os.lockf os.add_dll_directory os.chflags
    marshal.dump marshal.dumps marshal.load pty.spawn pickle.find_class webbrowser.open function.__new__
    gc.get_objects gc.get_referrers
    sys.addaudithook sys.settrace sys.setprofile sys._current_frames sys._current_exceptions
    sys.monitoring.register_callback
    sys.set_asyncgen_hooks_firstiter sys.set_asyncgen_hooks_finalizer sys.remote_exec
    signal.pthread_kill resource.setrlimit resource.prlimit sqlite3.enable_load_extension
    setopencodehook cpython._PySys_ClearAuditHooks cpython.PyInterpreterState_New cpython.PyInterpreterState_Clear
    cpython.run_command cpython.run_file cpython.run_interactivehook cpython.run_module
    cpython.run_startup cpython.run_stdin builtins.breakpoint builtins.input
    """.split()
)
_REFUSED_FAMILIES: Final = frozenset(
    "subprocess socket ctypes ftplib http imaplib nntplib poplib smtplib telnetlib urllib syslog winreg msvcrt".split()
)
_REASONS: Final = {
    **dict.fromkeys(
        "socket ftplib http imaplib nntplib poplib smtplib telnetlib urllib".split(),
        "there is no network: data is below DATA",
    ),
    **dict.fromkeys("subprocess pty".split(), "no other program can be started"),
}
"""Why, for the families that libraries reach on behalf of ordinary scripts."""

DECIDED: Final = _REFUSED_EVENTS | _REFUSED_FAMILIES | {"open", "compile", "ctypes.dlopen", "sqlite3.connect"}
"""Events, and families of them, that are refused or looked at."""

_COPY_CHECK: Final = ("/pandas/core/generic.py", "NDFrame._check_setitem_copy")
"""The one library function that may ask for referents: it tells whether a frame is
still referred to, for SettingWithCopyWarning, and hands none of them out."""

_MAKERS: Final = (_helpers.bind.__code__, _lookups.rewritten.__code__)
"""Who may make a code object: to put helpers into the script's, and look-ups into a library's."""
_EXCHANGERS: Final = ("hotcell_guard/libraries/_array_interface.py", "hotcell_guard/libraries/_object_arrays.py")
"""Whose code may give a function another code: numpy may be loaded after the hook, where there is no lock."""

_REFERRING: Final = frozenset(
    (FunctionType, MethodType, CodeType, FrameType, CellType)
    + (BuiltinFunctionType, list, tuple, set, dict, type, type(sys))
)
"""What nobody learns the referents of: a table is none of these."""

_STANDARD: Final = frozenset((0, 1, 2))
"""The container's raw streams. The script has sys.stdout and sys.stderr instead."""

_CHANGES: Final = {"os.mkdir": 2, "os.remove": 1, "os.rmdir": 1, "os.utime": 3, "os.truncate": 2}
"""Events that change what is at their first argument, and where a directory's descriptor stands."""
_DESCRIPTORS: Final = ("fcntl.fcntl", "fcntl.ioctl", "fcntl.flock", "fcntl.lockf")

_GENERATORS: Final = frozenset(
    """
    collections/__init__.py dataclasses.py scipy/_lib/_bunch.py scipy/_lib/decorator.py scipy/optimize/_nonlin.py
    scipy/stats/_distn_infrastructure.py numpy/f2py/auxfuncs.py fontTools/ttLib/tables/otConverters.py
    hotcell_guard/vetting/_vet.py hotcell_guard/vetting/_code.py hotcell_guard/libraries/_templates.py
    hotcell_guard/_unguarded.py hotcell_guard/_session.py hotcell_guard/granting/_ast.py
    decorator.py attr/_make.py traceback.py
    """.split()
)
"""Files whose code compiles text which it made itself from names that it (or, for
dataclasses, ``_makers``) has found to be identifiers; measured. ``_ast`` makes trees
that become no code. What any other
file's code compiles is an expression of somebody else's and is checked like a script."""

_IMPORTERS: Final = frozenset(("<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>"))
_FROZEN: Final = "<frozen "
_PYC_HEADER: Final = 16

_CODING: Final = re.compile(rb"coding[:=]")
"""What makes a comment name an encoding (PEP 263)."""
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_PATSY_PRELUDE: Final = "from patsy.builtins import *"
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_MOST_LINKS: Final = 40


def install(zones: Zones, rules: _rules.Rules, descriptors: frozenset[int]) -> None:
    """Add the hook to this process. It cannot be removed."""
    add(make(zones, rules, descriptors, None))


_add: Final = sys.addaudithook  # taken from sys before the hook is added


def add(hook: Hook) -> None:
    """Add the hook to this process. It cannot be removed."""
    _add(hook)


def make(
    zones: Zones,
    rules: _rules.Rules,
    descriptors: frozenset[int],
    budget: tuple[int, int] | None,
    pure: set[type] | None = None,
) -> Hook:
    """Make the hook. It raises PermissionError, which libraries know how to treat.

    pure holds the classes of the script's whose objects are all its own.
    budget is the tool and the events of ``sys.monitoring`` that count what code does:
    code that is made from text while the script runs is counted from its beginning.
    """
    refuse = sealed(_judges.refuse, EACCES=errno.EACCES)
    code = tuple(path.rstrip("/") + "/" for path in zones.code)
    handlers: dict[str, Any] = {
        **dict.fromkeys(_REFUSED_EVENTS),
        **_file_handlers(zones, refuse, descriptors),
        **_internal_handlers(code, refuse, set() if pure is None else pure),
        **_code_handlers(code, refuse, rules, budget),
    }
    forbidden = sealed(_judges.forbidden, refuse=refuse, REASONS=_REASONS)
    judge = sealed(_judges.judge, HANDLERS=handlers, FAMILIES=_REFUSED_FAMILIES, forbidden=forbidden)
    hook: Hook = outermost(_judges.look, judge=judge)
    return hook


def _file_handlers(zones: Zones, refuse: Any, descriptors: frozenset[int]) -> dict[str, Any]:
    real = sealed(_judges.real, readlink=posix.readlink, MOST_LINKS=_MOST_LINKS)
    path = sealed(_judges.path, decode=bytes.decode, exact=str.__str__, getcwd=posix.getcwd, real=real)
    write, bundle = zones.writable, zones.bundle
    may_write = sealed(_judges.may_write, WRITE=write, BUNDLE=bundle)
    changes = {
        event: sealed(_judges.changed, path=path, may_write=may_write, refuse=refuse, PLACE=place)
        for event, place in _CHANGES.items()
    }
    listed = sealed(_judges.listed, path=path, refuse=refuse, READ=zones.readable, HIDDEN=zones.hidden)
    number = sealed(_judges.descriptor, refuse=refuse, CLOSED=descriptors)
    opened = sealed(
        _judges.opened,
        path=path,
        refuse=refuse,
        may_write=may_write,
        READ=zones.readable,
        HIDDEN=zones.hidden,
        WRITING=_WRITING,
        CLOSED=descriptors | _STANDARD,
    )
    renamed = sealed(_judges.renamed, path=path, may_write=may_write, refuse=refuse)
    names = {"open": opened, "os.listdir": listed, "os.scandir": listed, "os.rename": renamed}
    return {**names, **changes, **dict.fromkeys(_DESCRIPTORS, number)}


def _internal_handlers(code: tuple[str, ...], refuse: Any, pure: set[type]) -> dict[str, Any]:
    known = sealed(_judges.known, getframe=sys._getframe, CODE=(*code, _FROZEN))
    read = sealed(
        _judges.read,
        known=known,
        refuse=refuse,
        getframe=sys._getframe,
        SEALED=GLOBALS,
        DOOR=DOOR,
        FrameType=FrameType,
        FunctionType=FunctionType,
    )
    changed = sealed(
        _judges.attribute_changed,
        known=known,
        refuse=refuse,
        getframe=sys._getframe,
        SEALED=GLOBALS,
        DOOR=DOOR,
        FunctionType=FunctionType,
        EXCHANGERS=_files(code, _EXCHANGERS),
        PURE=pure,
    )
    file, function = _COPY_CHECK
    files = frozenset(library[:-1] + file for library in code)
    asked = sealed(
        _judges.referents, getframe=sys._getframe, refuse=refuse, REFERRING=_REFERRING, FILES=files, FUNCTION=function
    )
    connectors = _files(code, ("hotcell_guard/granting/_sqlite.py",))
    connected = sealed(_judges.connected, getframe=sys._getframe, refuse=refuse, CONNECTORS=connectors)
    killed = sealed(_judges.killed, getframe=sys._getframe, refuse=refuse, SEALED=GLOBALS)
    changes = dict.fromkeys(("object.__setattr__", "object.__delattr__"), changed)
    asked_for = {"gc.get_referents": asked, "signal.pthread_kill": killed, "sqlite3.connect": connected}
    return {"object.__getattr__": read, **changes, **asked_for}


def _code_handlers(
    code: tuple[str, ...], refuse: Any, rules: _rules.Rules, budget: tuple[int, int] | None
) -> dict[str, Any]:
    image = sealed(
        _judges.image,
        open_file=posix.open,
        read_file=posix.read,
        close_file=posix.close,
        FLAGS=os.O_RDONLY | os.O_CLOEXEC,
    )
    text = sealed(_judges.text, refuse=refuse, coding=_CODING.search, MARK=_BYTE_ORDER_MARK, exact=str.__str__)
    frames = {"refuse": refuse, "getframe": sys._getframe, "CODE": code, "IMPORTERS": _IMPORTERS, "image": image}
    compiled = sealed(
        _judges.compiled,
        **frames,
        AST=AST,
        FROZEN=_FROZEN,
        GENERATORS=_files(code, _GENERATORS),
        PARSERS=_files(code, ("ast.py",)),
        HINTS=_files(code, ("typing.py",)),
        PRELUDE=_PATSY_PRELUDE,
        text=text,
        vet=_vet.vet_expression,
        RULES=rules,
        Refused=Refused,
    )
    unmarshalled = sealed(_judges.unmarshalled, **frames, HEADER=_PYC_HEADER)
    own = {"CODE": (*code, _FROZEN), "getframe": sys._getframe, "refuse": refuse, "CodeType": CodeType}
    executed = sealed(_judges.executed, **own, watch=_watcher(budget), TYPED=_files(code, ("collections/__init__.py",)))
    made = sealed(_judges.made, getframe=sys._getframe, refuse=refuse, MAKERS=_MAKERS)
    return {"compile": compiled, "code.__new__": made, "marshal.loads": unmarshalled, "exec": executed}


def _files(code: tuple[str, ...], names: Iterable[str]) -> frozenset[str]:
    return frozenset(directory + name for directory in code for name in names)


def _watcher(budget: tuple[int, int] | None) -> Any:
    if budget is None:
        return sealed(_judges.watch_nothing)
    tool, events = budget
    return sealed(
        _judges.watch, set_events=sys.monitoring.set_local_events, TOOL=tool, EVENTS=events, CodeType=CodeType
    )
