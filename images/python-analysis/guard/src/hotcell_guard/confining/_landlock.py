"""Landlock: the zones of the audit hook once more, kept by the kernel.

Whoever has got past the hook, and native code that opens files by itself, opens, makes
and changes nothing outside of them. It cannot be undone, only narrowed further. A
kernel says by its ABI what it can bound; all of that is bounded, and what a run needs
of it is given.
"""

from __future__ import annotations

import errno
import os
import stat
import struct

from hotcell_guard.speaking._protocol import GuardFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, Protocol

    class Kernel(Protocol):
        """The calls that this module needs. Each returns -1 and leaves failed() the reason."""

        def openat(self, directory: int, path: bytes, flags: int) -> int: ...
        def create_ruleset(self, attributes: bytes | None, size: int, flags: int) -> int: ...
        def add_rule(self, ruleset: int, kind: int, attributes: bytes, flags: int) -> int: ...
        def restrict_self(self, ruleset: int, flags: int) -> int: ...
        def failed(self) -> int: ...


__all__ = ["LandlockFault", "absence", "confine"]

_VERSION: Final = 1  # LANDLOCK_CREATE_RULESET_VERSION
_PATH_BENEATH: Final = 1  # LANDLOCK_RULE_PATH_BENEATH

# Rights of struct landlock_path_beneath_attr.
_EXECUTE: Final = 1 << 0
_WRITE_FILE: Final = 1 << 1
_READ_FILE: Final = 1 << 2
_READ_DIR: Final = 1 << 3
_REMOVE_DIR: Final = 1 << 4
_REMOVE_FILE: Final = 1 << 5
_MAKE_DIR: Final = 1 << 7
_MAKE_REG: Final = 1 << 8
_REFER: Final = 1 << 13
_TRUNCATE: Final = 1 << 14
_IOCTL_DEV: Final = 1 << 15

_HANDLED: Final = (
    (0, 0, 0),
    ((1 << 13) - 1, 0, 0),  # 1: files and directories
    ((1 << 14) - 1, 0, 0),  # 2: renaming into another directory, which ABI 1 refuses always
    ((1 << 15) - 1, 0, 0),  # 3: truncating
    ((1 << 15) - 1, 3, 0),  # 4: binding and connecting TCP sockets
    ((1 << 16) - 1, 3, 0),  # 5: ioctl of devices
    ((1 << 16) - 1, 3, 3),  # 6: abstract sockets and signals to who is not under the same bounds
)
"""By ABI: the accesses to files and to the network, and the scopes, that are bounded."""

_READ: Final = _READ_FILE | _READ_DIR
_WRITE: Final = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _REFER | _TRUNCATE
"""No symbolic links, sockets, pipes or devices; and nothing anywhere is executed. A second name
of a file (link(2)) counts as a file that is made: stage 2 refuses that."""

_OF_FILES: Final = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
"""Rights that a rule for what is no directory may have."""

_ABSENT: Final = {
    errno.ENOSYS: "this kernel has no Landlock, or a filter hides it: run Linux 5.13 or later with CONFIG_SECURITY_LANDLOCK",
    errno.EOPNOTSUPP: "this kernel has Landlock, but was started without it: put landlock into lsm= of its command line",
    errno.EPERM: "a filter denies it, or the kernel is gVisor's, which has none",
}
"""What the kernel says to whoever asks for Landlock's version where there is none."""

_OUTSIDE: Final = b"/"
"""A directory that lies in nobody's zone."""


class LandlockFault(GuardFault):
    """The kernel has Landlock, and it is not in force. Nothing of the run may follow."""

    kind = "lock fault"


def confine(kernel: Kernel, readable: Iterable[str], writable: Iterable[str]) -> int:
    """Bound what this thread, and those that it makes, may open to what lies below the paths.

    Returns the ABI of which all is in force, or 0 where the kernel has no Landlock, or a
    filter before it does not know the call: gVisor's then says EPERM.
    """
    offered = _offered(kernel)
    if offered == 0:
        return 0
    abi = min(offered, len(_HANDLED) - 1)
    if not _may_list_outside(kernel):
        # Then its refusal afterwards would prove nothing.
        raise _fault(kernel, "the root directory cannot be opened even before")
    attributes = struct.pack("=QQQ", *_HANDLED[abi])
    ruleset = kernel.create_ruleset(attributes, len(attributes), 0)
    if ruleset < 0:
        raise _fault(kernel, "the kernel makes no ruleset")
    try:
        for rights, paths in ((_READ, readable), (_WRITE, writable)):
            for path in paths:
                _allow(kernel, ruleset, path, rights & _HANDLED[abi][0])
        if kernel.restrict_self(ruleset, 0) != 0:
            raise _fault(kernel, "the kernel does not take the ruleset")
    finally:
        os.close(ruleset)
    if _may_list_outside(kernel) or kernel.failed() != errno.EACCES:
        raise _fault(kernel, "it is in force, but the root directory can still be opened")
    return abi


def absence(kernel: Kernel) -> str:
    """Say why this kernel confines nothing."""
    return "" if _offered(kernel) else _ABSENT[kernel.failed()]


def _offered(kernel: Kernel) -> int:
    """Return the newest ABI of this kernel, 0 where it has no Landlock."""
    offered = kernel.create_ruleset(None, 0, _VERSION)
    if offered > 0:
        return offered
    if offered < 0 and kernel.failed() in _ABSENT:
        return 0
    raise _fault(kernel, "the kernel does not tell its version")


def _allow(kernel: Kernel, ruleset: int, path: str, rights: int) -> None:
    place = kernel.openat(-1, os.fsencode(path.rstrip("/")), os.O_PATH | os.O_CLOEXEC)
    if place < 0 and kernel.failed() in (errno.ENOENT, errno.ENOTDIR):
        return  # the image does not have it
    if place < 0:
        raise _fault(kernel, "a directory of the run cannot be opened")
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _OF_FILES
        if kernel.add_rule(ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, place), 0) != 0:
            raise _fault(kernel, "the kernel does not take a rule")
    finally:
        os.close(place)


def _may_list_outside(kernel: Kernel) -> bool:
    directory = kernel.openat(-1, _OUTSIDE, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    if directory >= 0:
        os.close(directory)
    return directory >= 0


def _fault(kernel: Kernel, what: str) -> LandlockFault:
    number = kernel.failed()
    return LandlockFault(f"Landlock: {what} ({errno.errorcode.get(number, number)})")
