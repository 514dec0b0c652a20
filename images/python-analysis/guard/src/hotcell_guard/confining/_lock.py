"""The lock: from here on, no code comes into this process that it does not have yet.

A second seccomp filter, narrower than the one that the container started with,
for every thread of the process. The host compiled it; it cannot be removed, and a
further filter can only take away. Before it, where the kernel has Landlock, the zones
of the audit hook are put into the kernel (``_landlock``).
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import mmap
import os
import sys

from hotcell_guard.confining import _landlock
from hotcell_guard.speaking._protocol import GuardFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.granting._files import Zones

__all__ = ["ControlFault", "LockFault", "install", "refusal_advice"]

_PR_GET_DUMPABLE: Final = 3
_PR_SET_DUMPABLE: Final = 4
_PR_GET_NO_NEW_PRIVS: Final = 39
_SECCOMP: Final = {"x86_64": 317, "aarch64": 277}
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # of Landlock, on every architecture
_SET_MODE_FILTER: Final = 1
_FLAG_TSYNC: Final = 1
_INSTRUCTION: Final = 8  # struct sock_filter: u16 code, u8 jt, u8 jf, u32 k
_MOST_INSTRUCTIONS: Final = 4096  # the kernel's BPF_MAXINSNS

_UNMAPPED: Final = "failed to map segment from shared object"
"""What the dynamic loader says when it may not map code."""

_FILTER_MODE: Final = 2
_TASKS: Final = b"/proc/self/task"
_STATUS_BYTES: Final = 8192


class LockFault(GuardFault):
    """The lock is not in place. Nothing of the run may follow."""

    kind = "lock fault"


class ControlFault(GuardFault):
    """A control that the policy requires is not to be had here. Nothing of the run may follow."""

    kind = "lock fault"


def refusal_advice(error: BaseException | None) -> str | None:
    """Say what a script can do when the filter was in its way."""
    match error:
        case ImportError(msg=text) if type(text) is str and _UNMAPPED in text:
            return (
                "this library loads native code only when it is used, and once the script runs none can be loaded; "
                "import the module that needs it by its full name at the top of the script"
            )
        case PermissionError(errno=number, filename=None) if type(number) is int and number == errno.EPERM:
            return (
                "no other program can be started, and no socket, pipe, link, owner or permission made or changed; "
                "read below DATA, write below OUTPUT, and use threads"
            )
        case _:
            return None


class _Program(ctypes.Structure):
    """The kernel's struct sock_fprog; the bytes must outlive the call."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


class _Kernel:
    """The calls that Python has no function for.

    Bound when this module is imported: later the audit hook refuses ctypes, and
    the reading of anything below /proc.
    """

    def __init__(self) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        number, descriptor, flags, data = ctypes.c_long, ctypes.c_int, ctypes.c_uint, ctypes.c_char_p
        self.prctl = _bound(libc.prctl, ctypes.c_int, [ctypes.c_int, *[ctypes.c_ulong] * 4])
        # A name of the library is one function; an item of it is a new one each time.
        self.seccomp = _bound(libc["syscall"], number, [number, flags, flags, ctypes.POINTER(_Program)])
        self.openat = _bound(libc.openat, ctypes.c_int, [descriptor, data, ctypes.c_int])
        self._create = _bound(libc["syscall"], number, [number, data, ctypes.c_size_t, flags])
        self._add = _bound(libc["syscall"], number, [number, descriptor, ctypes.c_int, data, flags])
        self._restrict = _bound(libc["syscall"], number, [number, descriptor, flags])
        # Threads that end by pthread_exit make glibc load it; without it the
        # process is aborted.
        ctypes.CDLL("libgcc_s.so.1")

    def create_ruleset(self, attributes: bytes | None, size: int, flags: int) -> int:
        return self._create(_CREATE_RULESET, attributes, size, flags)

    def add_rule(self, ruleset: int, kind: int, attributes: bytes, flags: int) -> int:
        return self._add(_ADD_RULE, ruleset, kind, attributes, flags)

    def restrict_self(self, ruleset: int, flags: int) -> int:
        return self._restrict(_RESTRICT_SELF, ruleset, flags)

    def failed(self) -> int:
        """Return why the last call failed."""
        return ctypes.get_errno()


def _bound(function: Any, result: Any, arguments: list[Any]) -> Callable[..., int]:
    function.restype, function.argtypes = result, arguments
    bound: Callable[..., int] = function
    return bound


_kernel: _Kernel | None = _Kernel() if sys.platform == "linux" else None
"""None elsewhere, where a replication runs without a lock: install refuses."""


def install(program: bytes, zones: Zones | None, required: frozenset[str] = frozenset()) -> int:
    """Give up being dumpable, confine the process to the zones, load the filter for every thread, and prove all of it.

    program is an array of struct sock_filter. Returns the ABI of Landlock that is in
    force, 0 where the kernel has none or there are no zones. Raises a GuardFault if
    anything is not as it must be, and if what is required is not in force; the caller
    has to end the process. It works once: afterwards this module can make no system
    call any more.
    """
    global _kernel  # dropped so that nobody finds it
    kernel, _kernel = _kernel, None
    if kernel is None:
        raise LockFault("there is a lock already" if sys.platform == "linux" else "only Linux has this lock")
    if len(program) % _INSTRUCTION or not 0 < len(program) <= _MOST_INSTRUCTIONS * _INSTRUCTION:
        raise LockFault(f"a filter cannot have {len(program)} bytes")
    _give_up_dumpable(kernel)
    with contextlib.closing(_Threads(kernel)) as threads:
        before = threads.own()
        if not _no_new_privs(kernel):
            raise LockFault("no_new_privs is not set")
        if not _may_map_code():
            # Then its refusal afterwards would prove nothing.
            raise LockFault("code cannot be mapped even before the filter")
        abi = _confine(kernel, zones, threads)  # the filter lets nobody use Landlock
        if "landlock" in required and not abi:
            raise _lacking(_landlock.absence(kernel))
        _load(kernel, program)
        if _may_map_code():
            raise LockFault("the filter is loaded, and code can still be mapped")
        _prove_threads(threads, before)
    return abi


def _confine(kernel: _Kernel, zones: Zones | None, threads: _Threads) -> int:
    """Put the zones into the kernel. Landlock holds for this thread and those that it makes, and for no other."""
    if zones is None:
        return 0
    abi = _landlock.confine(kernel, zones.readable, zones.changeable)
    if abi and threads.count() != 1:
        raise LockFault(f"Landlock would hold for only one of {threads.count()} threads: load no library that starts threads")
    return abi


def _lacking(reason: str) -> ControlFault:
    system = os.uname()
    return ControlFault(
        f"the policy requires landlock, and it is not in force: {reason} (Linux {system.release}, {system.machine}); "
        "nothing of the script has run: repair that, or take landlock out of the policy's required_controls"
    )


def _no_new_privs(kernel: _Kernel) -> bool:
    """Ask the kernel itself: gVisor's status does not tell."""
    return kernel.prctl(_PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1


def _give_up_dumpable(kernel: _Kernel) -> None:
    """Close /proc/self/mem, through which code pages can be written in spite of any rule for mmap."""
    if kernel.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 or kernel.prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0) != 0:
        raise LockFault("PR_SET_DUMPABLE is refused")


def _load(kernel: _Kernel, program: bytes) -> None:
    machine = os.uname().machine
    number = _SECCOMP.get(machine)
    if number is None:
        raise LockFault(f"no filter is known for {machine}")
    header = _Program(len(program) // _INSTRUCTION, program)
    answer = kernel.seccomp(number, _SET_MODE_FILTER, _FLAG_TSYNC, ctypes.byref(header))
    if answer > 0:
        raise LockFault("a thread has a filter of its own and cannot be put under this one")
    if answer != 0:
        raise LockFault("the kernel refuses the filter")


def _may_map_code() -> bool:
    """Tell whether memory can be executable. Anonymous and not writable: stage 1 allows that."""
    try:
        mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_EXEC).close()
    except PermissionError:
        return False
    return True


def _prove_threads(threads: _Threads, before: dict[str, int]) -> None:
    """Check every thread's own status: one filter more than this one had before.

    gVisor and Linux before 5.10 do not count filters; there the mode, and TSYNC's
    answer that no thread was left out, must do.
    """
    for status in threads.statuses():
        if status.get("Seccomp") != _FILTER_MODE:
            raise LockFault("a thread is not under a filter")
        if status.get("Seccomp_filters") != _one_more(before.get("Seccomp_filters")):
            raise LockFault("the number of filters did not grow by one in every thread")


def _one_more(count: int | None) -> int | None:
    return None if count is None else count + 1


class _Threads:
    """The threads of this process, by what /proc says of them.

    What tells of them is opened at once: under Landlock nothing below /proc can be.
    """

    def __init__(self, kernel: _Kernel) -> None:
        self._kernel = kernel
        self._directory = kernel.openat(-1, _TASKS, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        if self._directory < 0:
            raise LockFault("/proc/self/task cannot be opened")
        self._own = self._open(-1, "/proc/thread-self")
        self._ids = {name: self._open(self._directory, name) for name in os.listdir(self._directory)}

    def close(self) -> None:
        for file in (self._directory, self._own, *self._ids.values()):
            if file >= 0:
                os.close(file)

    def count(self) -> int:
        """Return how many there are now."""
        return len(os.listdir(self._directory))

    def own(self) -> dict[str, int]:
        """Return the status of the thread that asks."""
        status = _status(self._own)
        if status is None:
            raise LockFault("/proc/thread-self/status cannot be read")
        return status

    def statuses(self) -> list[dict[str, int]]:
        """Return the status of each. A thread that has ended since has none; one that began is listed."""
        names = os.listdir(self._directory)
        for name in set(names) - self._ids.keys():
            self._ids[name] = self._open(self._directory, name)
        found = [_status(self._ids[name]) for name in names]
        statuses = [status for status in found if status is not None]
        if not statuses:
            raise LockFault("/proc/self/task lists no thread")
        return statuses

    def _open(self, directory: int, name: str) -> int:
        file = self._kernel.openat(directory, f"{name}/status".encode("ascii"), os.O_RDONLY | os.O_CLOEXEC)
        if file < 0 and self._kernel.failed() not in (errno.ENOENT, errno.ESRCH):
            raise LockFault("the status of a thread cannot be opened")
        return file


def _status(file: int) -> dict[str, int] | None:
    if file < 0:
        return None
    try:
        text = os.pread(file, _STATUS_BYTES, 0)
    except ProcessLookupError:
        return None
    fields = (line.partition(b":") for line in text.splitlines())
    wanted = (b"Seccomp", b"Seccomp_filters")
    return {name.decode("ascii"): int(value) for name, _, value in fields if name in wanted}
