"""Limits that an exception speaks of."""

from __future__ import annotations

import errno
import os
import tempfile
import unittest
from typing import Any
from unittest import mock

from hotcell_guard.granting import _met
from hotcell_guard.granting._met import Met
from tests.host import Host

BY_HAND = {
    "no space left": "raise OSError(28, 'No space left on device')",
    "a quota": "raise OSError(122, 'Disk quota exceeded')",
    "too many open files": "raise OSError(24, 'Too many open files')",
    "one of a class of its own": "class Full(OSError): pass\nraise Full(28, 'x')",
    "one with another's number": "try: open('missing')\nexcept OSError as error:\n    error.errno = 28\n    raise",
    "one that a library raises": "from concurrent.futures import Future\nf = Future()\nf.set_exception(OSError(28, 'x'))\nf.result()",
    "one out of a temporary directory": "import tempfile\nwith tempfile.TemporaryDirectory():\n    raise OSError(28, 'x')",
}


class Scripts(unittest.TestCase):
    def test_what_a_script_raises_by_hand_has_met_no_limit(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        talk = host.converse(mode="session", imports=["concurrent.futures", "tempfile"])
        for label, code in BY_HAND.items():
            with self.subTest(label):
                run = talk.step(code)
                self.assertEqual((run.outcome, run.report["limit"]), ("raised", ""))
        self.assertEqual([name for name in os.listdir(host.directory / "scratch") if "full" in name], [])


class Looks(unittest.TestCase):
    def setUp(self) -> None:
        self.scratch = self.enterContext(tempfile.TemporaryDirectory())
        self.met = Met(self.scratch)

    def refusing(self, call: str, number: int) -> Any:
        return mock.patch.object(_met.os, call, side_effect=OSError(number, "x"))

    def test_a_full_directory(self) -> None:
        full = OSError(errno.ENOSPC, "x")
        self.assertEqual(self.met.limit(full), "")
        for call in ("write", "open"):
            with self.refusing(call, errno.ENOSPC):
                self.assertEqual(self.met.limit(full), "scratch")
            with self.refusing(call, errno.EIO):
                self.assertEqual(self.met.limit(full), "")
        with mock.patch.object(_met.os, "write", return_value=1):
            self.assertEqual(self.met.limit(full), "scratch")
        self.assertEqual(os.listdir(self.scratch), [])

    def test_one_that_was_full_before_it_was_emptied(self) -> None:
        full, other = OSError(errno.ENOSPC, "x"), OSError(errno.ENOSPC, "x")
        for looked, reported, limit in ((full, full, "scratch"), (full, other, ""), (ValueError(), full, ""), (None, full, "")):
            with self.refusing("write", errno.ENOSPC):
                self.met.look(looked)
            self.assertEqual(self.met.limit(reported), limit)
        with self.refusing("write", errno.ENOSPC):
            self.met.look(full)
        self.met.limit(ValueError())
        self.assertEqual(self.met.limit(full), "", "an earlier step's")

    def test_no_descriptor(self) -> None:
        many = OSError(errno.EMFILE, "x")
        self.assertEqual(self.met.limit(many), "")
        with self.refusing("open", errno.EMFILE):
            self.assertEqual(self.met.limit(many), "open_files")
            self.assertEqual(self.met.limit(OSError(errno.ENOENT, "x")), "")

    def test_what_the_kernel_has_refused(self) -> None:
        many, full, missing = OSError(errno.EMFILE, "x"), OSError(errno.ENOSPC, "x"), OSError(errno.ENOENT, "x")
        for noted, reported, limit in ((many, many, "open_files"), (full, full, "scratch"), (many, full, ""), (missing, missing, "")):
            self.met.note(noted)
            self.assertEqual(self.met.limit(reported), limit)
