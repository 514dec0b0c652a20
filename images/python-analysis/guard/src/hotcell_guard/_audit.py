"""The audit hook (PEP 578): what libraries do, whoever asked them to.

It is a tripwire, not a wall: the Python manual says that hooks do not make a
sandbox. What it stops are files outside the zones, processes, sockets, native
code, deserialised classes and unchecked expression strings.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from _ast import AST

from hotcell_guard import _helpers, _lookups, _rules, _vet
from hotcell_guard._files import Zones, exact_path
from hotcell_guard._violations import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Final, NoReturn

    Handler = Callable[[tuple[object, ...]], None]

__all__ = ["DECIDED", "Hook", "install"]

_REFUSED_EVENTS: Final = frozenset(
    """
    os.system os.exec os.fork os.forkpty os.posix_spawn os.spawn os.startfile os.kill os.killpg
    os.chdir os.fchdir os.chroot os.chmod os.chown os.lchmod os.lchown os.link os.symlink os.mkfifo os.mknod
    os.setxattr os.removexattr os.getxattr os.listxattr os.lockf os.add_dll_directory os.chflags
    marshal.dump marshal.dumps pty.spawn pickle.find_class webbrowser.open function.__new__
    gc.get_objects gc.get_referrers
    sys.addaudithook sys.settrace sys.setprofile sys._current_frames sys._current_exceptions
    sys.monitoring.register_callback
    sys.set_asyncgen_hooks_firstiter sys.set_asyncgen_hooks_finalizer sys.remote_exec
    signal.pthread_kill resource.setrlimit resource.prlimit sqlite3.connect sqlite3.enable_load_extension
    setopencodehook cpython.run_command cpython.run_file cpython.run_interactivehook cpython.run_module
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

DECIDED: Final = _REFUSED_EVENTS | _REFUSED_FAMILIES | {"open", "compile", "ctypes.dlopen"}
"""Events, and families of them, that are refused or looked at."""

_COPY_CHECK: Final = ("pandas.core.generic", "_check_setitem_copy")
"""The one library function that may ask for referents: it tells whether a frame is
still referred to, for SettingWithCopyWarning, and hands none of them out."""

_MAKERS: Final = (_helpers.bind.__code__, _lookups.rewritten.__code__)
"""Who may make a code object: to put helpers into the script's, and look-ups into a library's."""

_STANDARD: Final = frozenset((0, 1, 2))
"""The container's raw streams. The script has sys.stdout and sys.stderr instead."""

_CHANGES: Final = frozenset("os.mkdir os.remove os.rmdir os.rename os.truncate os.utime".split())
_LISTINGS: Final = frozenset("os.listdir os.scandir".split())

_GENERATORS: Final = frozenset(
    """
    importlib._bootstrap importlib._bootstrap_external collections dataclasses
    scipy._lib._bunch scipy._lib.decorator scipy.optimize._nonlin scipy.stats._distn_infrastructure
    numpy.f2py.auxfuncs fontTools.ttLib.tables.otConverters
    hotcell_guard._vet hotcell_guard._audit hotcell_guard._templates decorator attr._make
    """.split()
)
"""Modules that compile text which they made themselves from names that they (or, for
dataclasses, ``_copies``) have found to be identifiers; measured. What any other
module compiles is an expression of somebody else's and is checked like a script."""

_CODING: Final = re.compile(rb"coding[:=]")
"""What makes a comment name an encoding (PEP 263)."""
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_PATSY_PRELUDE: Final = "from patsy.builtins import *"
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def install(zones: Zones, rules: _rules.Rules, descriptors: frozenset[int]) -> None:
    """Add the hook to this process. It cannot be removed."""
    sys.addaudithook(Hook(zones, rules, descriptors))


class Hook:
    """The hook. It raises PermissionError, which libraries know how to treat."""

    def __init__(self, zones: Zones, rules: _rules.Rules, descriptors: frozenset[int]) -> None:
        self._zones = zones
        self._rules = rules
        self._descriptors = descriptors
        self._handlers: dict[str, Handler | None] = {
            "open": self._open,
            "compile": self._compile,
            "ctypes.dlopen": self._load_library,
            "os.rename": self._rename,
            "code.__new__": self._code,
            "gc.get_referents": self._referents,
            "object.__getattr__": self._internals,
            "object.__setattr__": self._internals,
            "object.__delattr__": self._internals,
        }

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        """Look at one event."""
        try:
            handler = self._handlers[event]
        except KeyError:
            handler = self._handlers[event] = self._handler(event)
        if handler is not None:
            handler(arguments)

    def _handler(self, event: str) -> Handler | None:
        if event in _CHANGES:
            return self._change
        if event in _LISTINGS:
            return self._list
        if event in _REFUSED_EVENTS or event.partition(".")[0] in _REFUSED_FAMILIES:
            return lambda arguments: _refuse(_unavailable(event))
        return None

    def _open(self, arguments: tuple[object, ...]) -> None:
        target, _, flags = arguments
        if isinstance(target, int):
            if target in self._descriptors or target in _STANDARD:
                _refuse("this descriptor cannot be opened")
            return
        path = exact_path(target)
        writes = not isinstance(flags, int) or flags & _WRITING
        if path is None or not (self._zones.may_write(path) if writes else self._zones.library_may_read(path)):
            verb = "written" if writes else "read"
            _refuse(f"this file may not be {verb}; read below DATA, write below OUTPUT", path)

    def _change(self, arguments: tuple[object, ...]) -> None:
        path = exact_path(arguments[0])
        if path is None or not self._zones.may_write(path):
            _refuse("only what is below OUTPUT and /tmp can be changed", path)

    def _rename(self, arguments: tuple[object, ...]) -> None:
        self._change(arguments[:1])
        self._change(arguments[1:2])

    def _list(self, arguments: tuple[object, ...]) -> None:
        target = arguments[0] if arguments else None
        if target is None or isinstance(target, int):
            return  # the working directory, or a directory that was opened and checked
        path = exact_path(target)
        if path is None or not self._zones.library_may_read(path):
            _refuse("this directory may not be listed; look below DATA and OUTPUT", path)

    def _load_library(self, arguments: tuple[object, ...]) -> None:
        # ctypes itself opens the running program (None) when numpy imports it.
        if arguments[0] is not None:
            _refuse("native libraries cannot be loaded")

    def _code(self, arguments: tuple[object, ...]) -> None:  # noqa: ARG002
        maker = sys._getframe(2).f_code
        if all(maker is not each for each in _MAKERS):  # code objects of one content are equal
            _refuse(_unavailable("code.__new__"))

    def _referents(self, arguments: tuple[object, ...]) -> None:
        module, function = _COPY_CHECK
        caller = sys._getframe(2)
        # Globals are compared by identity: a script can call itself any name, but
        # it cannot make a function that has a library's globals.
        own = module in sys.modules and caller.f_globals is vars(sys.modules[module])
        if not own or caller.f_code.co_name != function:
            _refuse(_unavailable("gc.get_referents"))

    def _internals(self, arguments: tuple[object, ...]) -> None:
        """Refuse what leads to frames and code to the script itself, in any spelling."""
        # Raised for tb_frame, gi_frame, f_code, __code__ and the like, also when C reads
        # them for a pattern or a key function: then the frame is that of the script.
        if sys._getframe(2).f_globals is vars(sys.modules["__main__"]):
            _refuse(f"the attribute {arguments[1]!r} is not available in this run")

    def _compile(self, arguments: tuple[object, ...]) -> None:
        source = arguments[0]
        if source is None or isinstance(source, AST) or (compiler := _compiler()) in _GENERATORS:
            return  # a tree is made of a text that was seen here
        text = _text(source)
        if text == _PATSY_PRELUDE:
            return
        try:
            # _hardening looks at hints again when they are evaluated, and whose they are.
            _vet.vet_expression(text, self._rules, private=compiler == "typing")
        except Refused as refused:
            _refuse(f"this expression may not be evaluated: {refused}")


def _text(source: object) -> str:
    """Return what Python compiles. The parser raises the event a second time with bytes, in UTF-8.

    Bytes that a library was given are obeyed when a comment names another encoding.
    """
    if isinstance(source, str):
        return str.__str__(source)
    if not isinstance(source, bytes):
        _refuse("only text may be evaluated")
    exact = bytes(source)
    if b"#" in exact and _CODING.search(exact) or exact.startswith(_BYTE_ORDER_MARK):
        _refuse("this expression may not be evaluated: it names an encoding")
    try:
        return exact.decode("utf-8")
    except UnicodeDecodeError:
        _refuse("this expression may not be evaluated: it is not UTF-8")


def _compiler() -> str:
    """Return the name of the module that compiles, behind ast.parse."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__") in ("ast", __name__):
        frame = frame.f_back
    return str(frame.f_globals.get("__name__")) if frame is not None else ""


def _unavailable(event: str) -> str:
    why = _REASONS.get(event.partition(".")[0])
    return f"{event} is not available in this run" + (f"; {why}" if why else "")


def _refuse(reason: str, path: str | None = None) -> NoReturn:
    if path is None:
        raise PermissionError(errno.EACCES, reason)
    raise PermissionError(errno.EACCES, reason, path)
