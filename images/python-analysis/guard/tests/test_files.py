"""Zones, the guarded open, the audit hook and the manifest, without a process."""

from __future__ import annotations

import hashlib
import io
import os
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path
from typing import Any

from hotcell_guard.answering import _manifest
from hotcell_guard.confining import _audit
from hotcell_guard.granting import _files
from hotcell_guard.speaking import _seal
from hotcell_guard.vetting import _rules

RULES = _rules.Rules(frozenset(), frozenset(), frozenset())


class Directories(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = os.path.realpath(temporary.name)
        self.bundle, self.output, self.scratch = (f"{self.root}/{name}" for name in ("bundle", "output", "scratch"))
        for path in (self.bundle, self.output, self.scratch):
            os.mkdir(path)
        self.zones = _files.Zones(self.bundle, self.output, self.scratch)


class ZonesTest(Directories):
    def test_reads_and_writes(self) -> None:
        for path, read, write in (
            (f"{self.bundle}/a", True, False),
            (f"{self.bundle}", True, False),
            (f"{self.output}/a/b", True, True),
            (f"{self.scratch}/a", True, True),
            (f"{self.bundle}2/a", False, False),
            (f"{self.output}/../secret", False, False),
            (f"{self.output}/../bundle/a", True, False),
            (f"{self.output}//./a", True, True),
            ("/etc/passwd", False, False),
            ("/", False, False),
            ("", False, False),
            ("/dev/null", False, True),
        ):
            with self.subTest(path):
                self.assertEqual((self.zones.may_read(path), self.zones.may_write(path)), (read, write))

    def test_libraries_may_read_the_image(self) -> None:
        for path, allowed in (
            (os.__file__, True),
            ("/usr/share/zoneinfo/UTC", True),
            ("/etc/passwd", False),
            ("/usr/bin/python3", False),
            ("/usr/lib/os-release", False),
            ("/proc/self/environ", False),
            ("/usr/../etc/passwd", False),
        ):
            self.assertEqual(self.zones.library_may_read(path), allowed, path)

    def test_a_bundle_in_a_writable_place_stays_read_only(self) -> None:
        zones = _files.Zones(f"{self.output}/bundle", self.output, self.scratch)
        self.assertFalse(zones.may_write(f"{self.output}/bundle/a"))

    def test_no_bundle_means_no_bundle(self) -> None:
        zones = _files.Zones("", self.output, self.scratch)
        self.assertFalse(zones.may_read("/"))
        self.assertTrue(zones.may_write(f"{self.output}/a"))


class Open(Directories):
    def setUp(self) -> None:
        super().setUp()
        self.open = _files.guarded_open(self.zones)
        Path(self.bundle, "a").write_text("data")

    def test_opens_inside_the_zones(self) -> None:
        with self.open(f"{self.bundle}/a") as file:
            self.assertEqual(file.read(), "data")
        with self.open(Path(self.output) / "b", "wb") as file:
            file.write(b"1")
        with self.open(f"{self.output}/b".encode(), mode="rb") as file:
            self.assertEqual(file.read(), b"1")

    def test_refuses_the_rest(self) -> None:
        for path, mode in (
            ("/etc/passwd", "r"),
            (b"/etc/passwd", "r"),
            (f"{self.bundle}/a", "a"),
            (f"{self.bundle}/a", "r+"),
            (f"{self.bundle}/b", "x"),
            (f"{self.output}/../c", "w"),
        ):
            with self.subTest(path=path, mode=mode), self.assertRaises(PermissionError) as caught:
                self.open(path, mode)
            self.assertIn("OUTPUT", str(caught.exception))

    def test_warns_of_an_ending_that_cannot_leave(self) -> None:
        zones = _files.Zones(self.bundle, self.output, self.scratch, (".csv", ".png"))
        opened, told = _files.guarded_open(zones), io.StringIO()
        with unittest.mock.patch.object(sys, "__stderr__", told):
            for name in ("a.csv", "b.png", "c.pkl", "c.pkl", "d", "e.CSV", ".csv", "f.csv.gz"):
                opened(f"{self.output}/{name}", "w").close()
            opened(f"{self.output}/c.pkl").close()
            opened(f"{self.scratch}/g.pkl", "w").close()
        endings = "will not leave the sandbox: files that do end in .csv, .png\n"
        told_of = ["c.pkl", "d", "f.csv.gz"]
        self.assertEqual(told.getvalue(), "".join(f"warning: {name!r} {endings}" for name in told_of))

    def test_takes_no_descriptor(self) -> None:
        for path in (0, True, None):
            with self.assertRaises(TypeError):
                self.open(path)  # type: ignore[arg-type]

    def test_asks_a_path_once(self) -> None:
        answers = [f"{self.bundle}/a", "/etc/passwd"]

        class Liar:
            def __fspath__(self) -> str:
                return answers.pop(0)

        with self.open(Liar()) as file:
            self.assertEqual(file.read(), "data")

    def test_reads_a_path_past_its_class(self) -> None:
        class Liar(str):
            def __str__(self) -> str:
                return "lie"

            def split(self, *args: object) -> list[str]:  # type: ignore[override]
                return []

        class Bytes(bytes):
            def decode(self, *args: object) -> str:  # type: ignore[override]
                return "lie"

        self.assertEqual(_files.exact_path(Liar("/x")), "/x")
        self.assertIs(type(_files.exact_path(Liar("/x"))), str)
        self.assertEqual(_files.exact_path(Bytes(b"/x")), "/x")
        self.assertIsNone(_files.exact_path(Path("/x")))


class Hook(Directories):
    """The hook's decisions, by events as the interpreter raises them."""

    def setUp(self) -> None:
        super().setUp()
        self.hook = _audit.make(self.zones, RULES, frozenset((20, 21)), None)

    def test_only_pandas_own_check_may_ask_for_referents(self) -> None:
        file = "/usr/lib/python3/dist-packages/pandas/core/generic.py"
        text = "class {0}:\n def {1}(self, hook, of): hook('gc.get_referents', ((of,),))\nfound = {0}().{1}"
        for where, owner, name, of, held in (
            (file, "NDFrame", "_check_setitem_copy", object(), False),
            (file, "NDFrame", "_check_setitem_copy", self.test_lets_pass, True),
            (file, "NDFrame", "_check_setitem_copy", self.test_lets_pass.__code__, True),
            (file, "NDFrame", "other", object(), True),
            ("script.py", "NDFrame", "_check_setitem_copy", object(), True),
        ):
            names: dict[str, Any] = {"__name__": "pandas.core.generic", "__file__": file}
            exec(compile(text.format(owner, name), where, "exec"), names)
            with self.subTest(where=where, name=name, of=of):
                if held:
                    with self.assertRaisesRegex(PermissionError, "gc.get_referents is not available"):
                        names["found"](self.hook, of)
                else:
                    names["found"](self.hook, of)

    def test_no_frame_below_the_hook_is_in_a_traceback(self) -> None:
        for event, arguments in (("open", ("/etc/passwd", "r", 0)), ("compile", (b"m.os", "x")), ("open", ())):
            names = []
            try:
                self.hook(event, arguments)
            except (OSError, ValueError) as error:  # assertRaises forgets the traceback
                trace = error.__traceback__
                while trace is not None:
                    names.append(trace.tb_frame.f_code.co_name)
                    trace = trace.tb_next
                self.assertIsNone(error.__context__)
            self.assertEqual(names[-1:], ["look"])

    def test_holds_nothing_that_can_be_changed(self) -> None:
        self.assertIsNone(self.hook.__closure__)  # type: ignore[attr-defined]
        self.assertIsNone(self.hook.__defaults__)  # type: ignore[attr-defined]
        self.assertEqual(self.hook.__globals__, {"__builtins__": {}})  # type: ignore[attr-defined]
        constants = [each for each in self.hook.__code__.co_consts if callable(each)]  # type: ignore[attr-defined]
        self.assertTrue(all(each.__globals__ is _seal.GLOBALS and each.__closure__ is None for each in constants))

    def test_lets_pass(self) -> None:
        for event, arguments in (
            ("open", (f"{self.bundle}/a", "r", os.O_RDONLY)),
            ("open", (f"{self.output}/a", None, os.O_WRONLY | os.O_CREAT)),
            ("open", (os.__file__, "r", os.O_RDONLY)),
            ("open", (5, "r", os.O_RDONLY)),
            ("open", (f"{self.bundle}/a", "rb", 0)),
            ("open", (f"{self.output}/a", "a", 0)),
            ("os.listdir", ("/usr/lib/python3.13",)),
            ("os.listdir", (None,)),
            ("os.scandir", (4,)),
            ("os.mkdir", (f"{self.output}/a", 0o777, -1)),
            ("os.rename", (f"{self.output}/a", f"{self.scratch}/b", -1, -1)),
            ("compile", (None, "x")),
            ("compile", ("a + 1", "x")),
            ("compile", (b"a + 1", "x")),
            ("compile", ("from patsy.builtins import *", "x")),
            ("import", ("os", None, None, None, None)),
            ("builtins.id", (1,)),
        ):
            with self.subTest(event=event, arguments=arguments):
                self.hook(event, arguments)

    def test_refuses(self) -> None:
        for event, arguments in (
            ("open", ("/etc/passwd", "r", os.O_RDONLY)),
            ("open", (f"{self.bundle}/a", "a", 0)),
            ("open", (f"{self.bundle}/a", "r+", 0)),
            ("open", (20, None, os.O_WRONLY)),
            ("open", (b"/etc/passwd", "r", os.O_RDONLY)),
            ("open", (Path(self.bundle), "r", os.O_RDONLY)),
            ("open", (f"{self.bundle}/a", "r+", os.O_RDWR)),
            ("open", (f"{self.bundle}/a", "w", os.O_WRONLY | os.O_TRUNC)),
            ("open", (os.__file__, "w", os.O_WRONLY)),
            ("open", (21, "w", os.O_WRONLY)),
            ("open", (2, "w", os.O_WRONLY)),
            ("open", ("/x", "w", None)),
            ("os.listdir", ("/etc",)),
            ("os.scandir", (Path("/etc"),)),
            ("os.mkdir", (f"{self.bundle}/a", 0o777, -1)),
            ("os.remove", (f"{self.bundle}/a", -1)),
            ("os.rename", (f"{self.bundle}/a", f"{self.output}/a", -1, -1)),
            ("os.rename", (f"{self.output}/a", f"{self.bundle}/a", -1, -1)),
            ("os.symlink", ("/etc/passwd", f"{self.output}/a", -1)),
            ("os.link", (f"{self.output}/b", f"{self.output}/a", -1, -1)),
            ("os.chmod", (f"{self.output}/a", 0o777, -1)),
            ("os.chdir", ("/",)),
            ("os.system", (b"id",)),
            ("os.fork", ()),
            ("subprocess.Popen", ("id", ["id"], None, None)),
            ("socket.__new__", (None, 2, 1, 0)),
            ("socket.getaddrinfo", ("a", 1, 0, 0, 0)),
            ("ctypes.dlopen", ("libc.so.6",)),
            ("ctypes.dlopen", (None,)),
            ("os.mkdir", (f"{self.output}/a", 0o777, 5)),
            ("os.remove", (f"{self.output}/a", 5)),
            ("os.rename", (f"{self.output}/a", f"{self.output}/b", 5, -1)),
            ("fcntl.fcntl", (20, 0, 0)),
            ("marshal.loads", (b"0",)),
            ("compile", (b"1", os.__file__)),
            ("cpython.PyInterpreterState_New", ()),
            ("object.__setattr__", (len, "__code__", None)),
            ("object.__getattr__", (self.hook, "__code__")),
            ("ctypes.string_at", (1, 2)),
            ("pickle.find_class", ("os", "system")),
            ("gc.get_objects", (-1,)),
            ("code.__new__", ()),
            ("compile", ("m.os", "x")),
            ("compile", (b"__import__('os')", "x")),
            ("compile", ("import os", "x")),
            ("urllib.Request", ("http://x", None, {}, "GET")),
        ):
            with self.subTest(event=event, arguments=arguments), self.assertRaises(PermissionError):
                self.hook(event, arguments)


class Manifest(Directories):
    def test_lists_regular_files_only(self) -> None:
        out = Path(self.output)
        (out / "b.txt").write_bytes(b"hello")
        (out / "figures").mkdir()
        (out / "figures" / "figure-01.png").write_bytes(b"")
        (out / "empty").mkdir()
        (out / "link").symlink_to("/etc/passwd")
        (out / "directory").symlink_to("/etc")
        os.mkfifo(out / "pipe")
        (Path(os.fsdecode(os.fsencode(self.output) + b"/\xff"))).write_bytes(b"x")
        entries = _manifest.manifest(self.output, ["figures/figure-01.png"], 1 << 20)
        self.assertEqual(
            entries,
            [
                {"path": "b.txt", "bytes": 5, "sha256": hashlib.sha256(b"hello").hexdigest(), "role": "file"},
                {"path": "figures/figure-01.png", "bytes": 0, "sha256": hashlib.sha256().hexdigest(), "role": "figure"},
            ],
        )

    def test_does_not_follow_a_link_that_takes_a_files_place(self) -> None:
        link = Path(self.output) / "a"
        link.symlink_to("/etc/passwd")
        with self.assertRaises(OSError):
            _manifest._digest(str(link))
        os.mkfifo(Path(self.output) / "pipe")
        with self.assertRaises(OSError):
            _manifest._digest(f"{self.output}/pipe")
