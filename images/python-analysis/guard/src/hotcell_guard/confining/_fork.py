"""From a template into a sandbox: a process is forked, and becomes what a sandbox's first process is.

A template has imported its packages and loaded the tables. The host has the runtime make
a sandbox, in which nothing of the image runs yet, and a process forked from the template
joins it. That happens in two steps, because a pid namespace can be entered by children
only:

- The *envoy* is forked from the template. It makes a user namespace, in which it has every
  capability and outside of which none. The host maps its ids, has the runtime make the
  sandbox in it, and sends the other namespaces. The envoy enters them, forks and ends.
- What it has forked is in the sandbox with all it has. It gives up everything that the
  runtime would have taken from the guard, and proves it; the host looks from outside.

Nothing of a user's is there yet. The host is told of each step by one byte on a socket
of this fork's own. Which process sends it, the kernel tells the host.
"""

from __future__ import annotations

import array
import contextlib
import ctypes
import os
import struct
import sys
from signal import SIG_DFL, SIG_IGN, SIGCHLD

from hotcell_guard.speaking._protocol import EXIT_FAULT, HIGHEST_DESCRIPTOR, GuardFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final

    from hotcell_guard.speaking._protocol import Channel

__all__ = ["ForkFault", "Forks"]

_CLONE_NEWUSER: Final = 0x10000000
_NAMESPACES: Final = (0x20000, 0x20000000, 0x40000000, 0x8000000, 0x4000000, 0x2000000)
"""CLONE_NEW…: mount, pid, network, ipc, uts and cgroup, in the order in which the host sends them."""

_USER: Final = 65532
_PR_CAPBSET_DROP: Final = 24
_PR_GET_NO_NEW_PRIVS: Final = 39
_LAST_CAPABILITY: Final = 63
_CAPABILITY_VERSION: Final = 0x20080522
_JOIN_SESSION_KEYRING: Final = 1
_SET_MODE_FILTER: Final = 1
_INSTRUCTION: Final = 8
_CALLS: Final = {
    "x86_64": {
        "seccomp": 317, "capset": 126, "keyctl": 250, "prlimit64": 302, "setgroups": 116, "setresuid": 117, "setresgid": 119,
    },
    "aarch64": {
        "seccomp": 277, "capset": 91, "keyctl": 219, "prlimit64": 261, "setgroups": 159, "setresuid": 147, "setresgid": 149,
    },
}

_SOL_SOCKET: Final = 1
_SCM_RIGHTS: Final = 1
_MSG_CMSG_CLOEXEC: Final = 0x40000000
_MOST_WORDS: Final = 4096

_FORK: Final = b"F"
"""What the host sends for each fork, with the three streams and the socket of this fork."""
_MADE: Final = b"U"
_ENTERED: Final = b"E"
_GO: Final = b"G"


class ForkFault(GuardFault):
    """The process cannot become what a sandbox's first one is. Nothing of the run may follow."""

    kind = "fork fault"


class _Vector(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


class _Message(ctypes.Structure):
    """The kernel's struct user_msghdr."""

    _fields_ = (
        ("name", ctypes.c_void_p),
        ("name_length", ctypes.c_int),
        ("vectors", ctypes.POINTER(_Vector)),
        ("vectors_length", ctypes.c_size_t),
        ("control", ctypes.c_void_p),
        ("control_length", ctypes.c_size_t),
        ("flags", ctypes.c_int),
    )


class _Program(ctypes.Structure):
    """The kernel's struct sock_fprog; the bytes must outlive the call."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


class _Kernel:
    """What a fork needs. Bound when this module is imported: later it is not to be had any more."""

    def __init__(self) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        number, data = ctypes.c_long, ctypes.c_char_p
        self.setns = _bound(libc.setns, [ctypes.c_int, ctypes.c_int])
        self.unshare = _bound(libc.unshare, [ctypes.c_int])
        self.prctl = _bound(libc.prctl, [ctypes.c_int, *[ctypes.c_ulong] * 4])
        self.recvmsg = _bound(libc.recvmsg, [ctypes.c_int, ctypes.POINTER(_Message), ctypes.c_int])
        self.capset = _bound(libc["syscall"], [number, data, data])
        self.seccomp = _bound(libc["syscall"], [number, ctypes.c_uint, ctypes.c_uint, ctypes.POINTER(_Program)])
        self.prlimit = _bound(libc["syscall"], [number, ctypes.c_int, ctypes.c_int, data, ctypes.c_void_p])
        self.keyctl = _bound(libc["syscall"], [number, ctypes.c_ulong, ctypes.c_void_p])
        self.fork, self.exit = os.fork, os._exit
        # The C library's own: nothing of Python's is renewed for an envoy, which only makes
        # system calls. It holds the interpreter's lock meanwhile, and there is no other thread.
        self.fork_envoy = _bound(ctypes.PyDLL(None).fork, [])
        self.setsid = os.setsid
        # glibc's own would handle a signal for the threads that there are not.
        self.set_ids = _bound(libc["syscall"], [number, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint])
        self.set_groups = _bound(libc["syscall"], [number, ctypes.c_int, ctypes.c_void_p])
        self.read, self.write, self.close, self.open, self.dup2 = os.read, os.write, os.close, os.open, os.dup2
        self.closerange, self.chdir, self.umask = os.closerange, os.chdir, os.umask
        # That of signal is Python, and looks for this one when it is called.
        self.signal = vars(sys.modules["_signal"])["signal"]

    def failed(self) -> str:
        """Say why the last call failed."""
        return os.strerror(ctypes.get_errno())

    def receive(self, socket: int, most: int = 1) -> tuple[bytes, list[int]]:
        """Receive bytes, and the descriptors that come with them; b"" at the end of the stream."""
        byte = ctypes.create_string_buffer(most)
        control = ctypes.create_string_buffer(256)
        vector = _Vector(ctypes.addressof(byte), most)
        message = _Message(None, 0, ctypes.pointer(vector), 1, ctypes.addressof(control), len(control), 0)
        size = self.recvmsg(socket, ctypes.byref(message), _MSG_CMSG_CLOEXEC)
        if size < 0:
            raise ForkFault(f"the host's socket cannot be read: {self.failed()}")
        return byte.raw[:size], _descriptors(control.raw[: message.control_length])


def _bound(function: Any, arguments: list[Any]) -> Any:
    function.restype, function.argtypes = ctypes.c_long, arguments
    return function


def _descriptors(control: bytes) -> list[int]:
    """Read the descriptors from one control message, a struct cmsghdr and integers."""
    if not control:
        return []
    length, level, kind = struct.unpack_from("@Nii", control)
    if (level, kind) != (_SOL_SOCKET, _SCM_RIGHTS):
        raise ForkFault("the host's socket brings something else than descriptors")
    found = array.array("i")
    found.frombytes(control[struct.calcsize("@Nii") : length])
    return found.tolist()


_kernel: _Kernel | None = _Kernel()


class Forks:
    """Serves the host's demands, each by a process that joins a sandbox."""

    def __init__(self, channel: Channel, filter_of_container: bytes, directory: str) -> None:
        global _kernel  # dropped so that nobody finds it
        self._kernel, _kernel = _kernel, None
        self._channel = channel
        self._directory = directory  # the current one of what is forked
        self._scratch = os.environ.get("MPLCONFIGDIR", "")  # matplotlib has made it when it was imported
        self._filter = filter_of_container
        self._limits: list[tuple[int, int, int]] = []  # resource, soft, hard
        if len(filter_of_container) % _INSTRUCTION or not filter_of_container:
            raise ForkFault("there is no filter for what is forked")
        if os.uname().machine not in _CALLS:
            raise ForkFault(f"no system calls are known for {os.uname().machine}")
        self._calls = _CALLS[os.uname().machine]

    def serve(self) -> None:
        """Fork for each demand. Returns in what was forked, in its sandbox; ends the template with the host's stream."""
        kernel = self._kernel
        if kernel is None:
            raise ForkFault("this process does not fork")
        incoming, _ = sorted(self._channel.descriptors)
        kernel.signal(SIGCHLD, int(SIG_IGN))  # envoys are not waited for
        while True:
            kind, given = kernel.receive(incoming)
            if not kind:
                kernel.exit(0)
            if kind != _FORK or len(given) != 4:
                raise ForkFault(f"expected a demand for a fork and 4 descriptors, got {kind!r} and {len(given)}")
            forked = kernel.fork_envoy()
            if forked < 0:
                with contextlib.suppress(OSError):  # the host may have given it up
                    _tell(kernel, given[-1], f"!the template cannot fork: {kernel.failed()}".encode("ascii", "backslashreplace"))
            if forked == 0:
                self._kernel = None
                self._become(kernel, given)
                return
            for each in given:
                kernel.close(each)

    def _become(self, kernel: _Kernel, given: Sequence[int]) -> None:
        *streams, socket = given
        try:
            kernel.signal(SIGCHLD, int(SIG_DFL))
            self._enter(kernel, socket)
            self._connect(kernel, streams, socket)
            self._give_up(kernel)
        except (OSError, ForkFault) as error:
            _tell(kernel, socket, f"!{error}".encode("ascii", "backslashreplace")[:500])
            kernel.exit(EXIT_FAULT)
        kernel.close(socket)

    def _enter(self, kernel: _Kernel, socket: int) -> None:
        """Go into the sandbox. Only a child of this process's returns."""
        if kernel.unshare(_CLONE_NEWUSER):
            why = f"{kernel.failed()}; see user.max_user_namespaces and kernel.unprivileged_userns_clone"
            raise ForkFault(f"no user namespace can be made: {why}")
        _tell(kernel, socket, _MADE)
        kind, namespaces = kernel.receive(socket)
        if kind != _GO or len(namespaces) != len(_NAMESPACES):
            kernel.exit(0)  # the host has given the sandbox up
        for handle, kind_of in zip(namespaces, _NAMESPACES, strict=True):
            if kernel.setns(handle, kind_of):
                raise ForkFault(f"namespace {kind_of:#x} cannot be entered: {kernel.failed()}")
        if _forked(kernel.fork):
            kernel.exit(0)
        _tell(kernel, socket, _ENTERED)
        words, _ = kernel.receive(socket, _MOST_WORDS)  # it is in its control group
        if words[:1] != _GO:
            kernel.exit(0)
        self._limits = [*struct.iter_unpack("=QQQ", words[1:])]

    def _connect(self, kernel: _Kernel, streams: Sequence[int], socket: int) -> None:
        """Put the run's streams where the template's were, and close all else but the socket."""
        incoming, outgoing = sorted(self._channel.descriptors)
        null = kernel.open("/dev/null", os.O_RDWR)
        for source, target in ((null, 0), (streams[2], 1), (streams[2], 2)):
            kernel.dup2(source, target)
        for source, target in ((streams[0], incoming), (streams[1], outgoing)):
            kernel.dup2(source, target, inheritable=False)
        low = 3
        for kept in sorted((incoming, outgoing, socket)):
            kernel.closerange(low, kept)
            low = kept + 1
        kernel.closerange(low, HIGHEST_DESCRIPTOR)

    def _give_up(self, kernel: _Kernel) -> None:
        """Give up what the runtime takes from the guard before it executes it, in the runtime's order."""
        kernel.setsid()
        kernel.umask(0o022)
        if kernel.keyctl(self._calls["keyctl"], _JOIN_SESSION_KEYRING, None) < 0:
            raise ForkFault(f"no session keyring can be had: {kernel.failed()}")
        for number, soft, hard in self._limits:
            if kernel.prlimit(self._calls["prlimit64"], 0, number, struct.pack("=QQ", soft, hard), None):
                raise ForkFault(f"resource limit {number} cannot be set: {kernel.failed()}")
        self._require(kernel, kernel.set_groups(self._calls["setgroups"], 0, None), "the groups")
        for capability in range(_LAST_CAPABILITY + 1):
            kernel.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # EINVAL for one that this kernel has not
        for name in ("setresgid", "setresuid"):
            self._require(kernel, kernel.set_ids(self._calls[name], _USER, _USER, _USER), f"the ids ({name})")
        header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
        self._require(kernel, kernel.capset(self._calls["capset"], header, bytes(24)), "the capabilities")
        if self._scratch:
            os.makedirs(self._scratch, exist_ok=True)
        kernel.chdir(self._directory)
        if kernel.prctl(_PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1:
            raise ForkFault("no_new_privs is not set")
        program = _Program(len(self._filter) // _INSTRUCTION, self._filter)
        if kernel.seccomp(self._calls["seccomp"], _SET_MODE_FILTER, 0, ctypes.byref(program)):
            raise ForkFault(f"the kernel refuses the container's filter: {kernel.failed()}")

    def _require(self, kernel: _Kernel, result: int, what: str) -> None:
        if result != 0:
            raise ForkFault(f"{what} cannot be given up: {kernel.failed()}")


def _forked(fork: Callable[[], int]) -> int:
    """Fork, and return what fork returns.

    Libraries renew then what a fork must not share with others. Of one that cannot, Python would
    write to the run's stderr, and go on.
    """
    failed: list[str] = []
    usual, sys.unraisablehook = sys.unraisablehook, lambda each: failed.append(f"{each.exc_type.__name__}: {each.exc_value}")
    try:
        child = fork()
    finally:
        sys.unraisablehook = usual
    if failed and child == 0:
        raise ForkFault(f"a library cannot renew itself in a fork: {failed[0]}")
    return child


def _tell(kernel: _Kernel, socket: int, words: bytes) -> None:
    kernel.write(socket, words)
