from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import threading
import unittest
from pathlib import Path
from typing import Any

from hotcell_guard.confining import _audit
from hotcell_guard.granting._files import Zones
from hotcell_guard.speaking import _protocol, _start
from hotcell_guard.speaking._protocol import Channel, ProtocolFault
from hotcell_guard.vetting._rules import Rules
from tests.host import SOURCE, Host, frame, split, start_frame

HERE = Path("/nowhere")


def encoded(**changes: Any) -> bytes:
    return json.dumps(start_frame(HERE, **changes)).encode()


TABLE = {"name": "visits", "path": ".tables/visits.table"}

CORRUPT_STARTS = {
    "empty": b"",
    "not JSON": b"{",
    "an array": b"[]",
    "not UTF-8": encoded().replace(b"script.py", b"script.p\xff"),
    "trailing bytes": encoded() + b"{}",
    "a duplicate name": encoded().replace(b'"protocol": 7', b'"protocol": 3, "protocol": 3'),
    "an unknown name": encoded().replace(b'"protocol": 7', b'"protocol": 3, "more": 1'),
    "a missing name": encoded().replace(b'"protocol": 7, ', b""),
    "another case": encoded().replace(b'"protocol"', b'"Protocol"'),
    "another protocol": encoded(protocol=2),
    "a control that no lock brings": encoded(required_controls=["apparmor"], seccomp="AAAAAAAAAAA="),
    "a control twice": encoded(required_controls=["landlock", "landlock"], seccomp="AAAAAAAAAAA="),
    "a control that is no text": encoded(required_controls=[1], seccomp="AAAAAAAAAAA="),
    "a control of a lock that is not asked for": encoded(required_controls=["landlock"], seccomp=""),
    "a boolean for a number": encoded(protocol=True),
    "a float for a number": encoded(max_figures=1.0),
    "NaN": encoded(max_figures=float("nan")),
    "infinity": encoded(max_figures=float("inf")),
    "a lone surrogate": encoded(run_id="\ud800"),
    "a huge number": encoded(max_figures=1 << 70),
    "digits without end": encoded().replace(b'"max_figures": 20', b'"max_figures": ' + b"9" * 5000),
    "deep nesting": b"[" * 200_000,
    "a null object": encoded(rules=None),
    "a negative limit": encoded(stdout_bytes=-1),
    "no limit": encoded(code_bytes=0),
    "a report larger than the protocol's": encoded(report_bytes=(64 << 20) + 1),
    "an unknown rule": encoded(rules={"imports": []}),
    "an import that is no name": encoded(imports=["pandas; import os"]),
    "an ending that is none": encoded(endings=["csv"]),
    "an ending that is no string": encoded(endings=[1]),
    "endings that are no list": encoded(endings=".csv"),
    "an import that is no string": encoded(imports=[1]),
    "an empty script name": encoded(script_name=""),
    "a script name with a line break": encoded(script_name="a\nb"),
    "a relative output": encoded(output_dir="output"),
    "an output with traversal": encoded(output_dir="/a/../b"),
    "no output": encoded(output_dir=""),
    "tables without bundle": encoded(bundle_dir="", tables=[TABLE]),
    "two tables of one name": encoded(tables=[TABLE, TABLE]),
    "a table that is no object": encoded(tables=["x"]),
    "a table with traversal": encoded(tables=[TABLE | {"path": "../x"}]),
    "a table with an absolute path": encoded(tables=[TABLE | {"path": "/x"}]),
    "a table with a format": encoded(tables=[TABLE | {"format": "csv"}]),
    "a table named like a keyword": encoded(tables=[TABLE | {"name": "class"}]),
    "a table named like a builtin": encoded(tables=[TABLE | {"name": "open"}]),
    "a table named like a fixed name": encoded(tables=[TABLE | {"name": "DATA"}]),
    "a private table": encoded(tables=[TABLE | {"name": "_x"}]),
    "a table that is no name": encoded(tables=[TABLE | {"name": "a b"}]),
    "a table named like the inputs": encoded(tables=[TABLE | {"name": "context"}]),
    "an unknown mode": encoded(mode="debug"),
    "unknown inputs": encoded(inputs="all"),
    "tools without a context": encoded(tools=["x"]),
    "a tool twice": encoded(tools=["x", "x"], inputs="context"),
    "a tool with a space": encoded(tools=["x y"], inputs="context"),
    "a tool of two lines": encoded(tools=["x\n"], inputs="context"),
    "a tool of a number": encoded(tools=[1], inputs="context"),
    "a tool with a dot that is a variable": encoded(tools=["x.y"], inputs="names"),
    "a filter that is not base64": encoded(seccomp="?"),
    "a filter of half an instruction": encoded(seccomp="AAAA"),
    "a filter larger than the kernel's": encoded(seccomp=base64.b64encode(bytes(8 * 4097)).decode()),
    "a filter that is no text": encoded(seccomp=1),
    "a preloaded module of the floor": encoded(preloaded=[{"name": "x", "module": "posix"}]),
    "a preloaded module without name": encoded(preloaded=[{"name": "", "module": "math"}]),
    "a preloaded module that hides a builtin": encoded(preloaded=[{"name": "open", "module": "math"}]),
    "a preloaded module that is no name": encoded(preloaded=[{"name": "x", "module": "math; import os"}]),
    "a preloaded module named like a table": encoded(tables=[TABLE], preloaded=[{"name": "visits", "module": "math"}]),
    "syntax that is no name": encoded(denied_syntax=["a b"]),
    "a module left out that is no name": encoded(left_out=["a b"]),
    "inputs larger than the protocol's": encoded(input_bytes=(64 << 20) + 1),
    "a negative budget": encoded(operations=-1),
}


class Starts(unittest.TestCase):
    def test_reads_every_field(self) -> None:
        start = _start.decode(encoded(tables=[TABLE], denied_builtins=["dir"], denied_attributes=["to_sql"]))
        self.assertEqual(start.tables[0].path, ".tables/visits.table")
        self.assertIn("dir", start.rules.builtins)
        self.assertIn("eval", start.rules.builtins)
        self.assertIn("to_sql", start.rules.attributes)
        self.assertIn("pandas", start.rules.imports)
        self.assertEqual((start.max_figures, start.limits.code_bytes), (20, 100_000))

        module = {"name": "pd", "module": "pandas"}
        start = _start.decode(
            encoded(mode="session", inputs="context", tools=["f", "g-h/i.j:k"], seccomp="AAAAAAAAAAA=", preloaded=[module], operations=5)
        )
        self.assertEqual((start.mode, start.inputs, start.tools, start.seccomp), ("session", "context", ("f", "g-h/i.j:k"), bytes(8)))
        self.assertEqual((start.preloaded[0].name, start.preloaded[0].module), ("pd", "pandas"))
        self.assertEqual((start.limits.operations, start.limits.loop_iterations), (5, 0))
        start = _start.decode(encoded(required_controls=["landlock"], seccomp="AAAAAAAAAAA="))
        self.assertEqual(start.required_controls, frozenset(("landlock",)))
        self.assertEqual(_start.decode(encoded(denied_syntax=["Global"])).rules.syntax, frozenset(("Global",)))
        start = _start.decode(encoded(left_out=["os"]))
        self.assertEqual((start.rules.left_out, start.shown.left_out), (frozenset(("os",)), frozenset(("os",))))

    def test_takes_null_for_an_empty_list(self) -> None:
        start = _start.decode(encoded(tables=None, imports=None, denied_builtins=None, seccomp=None, preloaded=None))
        self.assertEqual((start.tables, start.rules.imports, start.seccomp), ([], frozenset(), b""))

    def test_refuses_corruption(self) -> None:
        for name, payload in CORRUPT_STARTS.items():
            with self.subTest(name), self.assertRaises(ProtocolFault):
                _start.decode(payload)


class Channels(unittest.TestCase):
    def setUp(self) -> None:
        self.read_end, outgoing = os.pipe()
        incoming, self.write_end = os.pipe()
        self.channel = Channel(incoming, outgoing)
        for descriptor in (self.read_end, outgoing, incoming):
            self.addCleanup(os.close, descriptor)

    def receive(self, data: bytes, limit: int = 10) -> bytes:
        os.write(self.write_end, data)
        os.close(self.write_end)
        return self.channel.receive(b"S", limit)

    def test_receives_a_frame_of_exactly_the_limit(self) -> None:
        self.assertEqual(self.receive(frame("S", b"0123456789")), b"0123456789")

    def test_refuses_deviations(self) -> None:
        os.close(self.write_end)
        for name, data in {
            "another type": frame("C", b""),
            "too large": frame("S", b"x" * 11),
            "a size that nobody has": b"S\xff\xff\xff\xff",
            "half a header": b"S\0\0",
            "half a payload": frame("S", b"12345")[:-1],
            "nothing": b"",
        }.items():
            incoming, self.write_end = os.pipe()
            self.channel._incoming = incoming
            with self.subTest(name), self.assertRaises(ProtocolFault):
                self.receive(data)
            os.close(incoming)

    def test_frames_of_many_threads_do_not_mix(self) -> None:
        received: list[bytes] = []
        count, size = 200, 3000

        def read() -> None:
            total = 4 * count * (size + 5)
            while total:
                received.append(os.read(self.read_end, total))
                total -= len(received[-1])

        def write(letter: bytes) -> None:
            for _ in range(count):
                self.channel.send(b"O", letter * size)

        threads = [threading.Thread(target=read), *(threading.Thread(target=write, args=(x,)) for x in (b"a", b"b", b"c", b"d"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        os.close(self.write_end)
        frames = list(split(b"".join(received)))
        self.assertEqual(len(frames), 4 * count)
        self.assertTrue(all(len(set(payload)) == 1 and len(payload) == size for _, payload in frames))


class Faults(unittest.TestCase):
    """What a guard process does with a host that does not keep to the protocol."""

    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def test_ends_with_70_and_one_line(self) -> None:
        good = frame("S", json.dumps(start_frame(self.host.directory)).encode())
        for name, request in {
            "nothing": b"",
            "another first frame": frame("C", b"1"),
            "a torn start": good[:-3],
            "a start over its limit": frame("S", b" " * ((1 << 20) + 1)),
            "a corrupt start": frame("S", b"{}"),
            "no code": good,
            "a second start": good + good,
            "no inputs": good + frame("C", b"1"),
            "inputs that the rules exclude": good + frame("I", b"{}") + frame("C", b"1"),
            "inputs over their limit": good + frame("I", b" " * ((1 << 20) + 1)),
            "code over its limit": good + frame("I", b"") + frame("C", b"#" * 100_001),
        }.items():
            with self.subTest(name):
                run = self.host.talk(request)
                self.assertEqual((run.kinds, run.code), ("H", _protocol.EXIT_FAULT))
                self.assertRegex(run.raw_stderr.decode(), r"\Ahotcell_guard: protocol fault: [^\n]+\n\Z")

    def test_names_an_internal_fault_without_its_text(self) -> None:
        run = self.host.run("1", output_dir="/nowhere/at/all")
        self.assertEqual((run.kinds, run.code), ("H", _protocol.EXIT_FAULT))
        self.assertRegex(run.raw_stderr.decode(), r"\Ahotcell_guard: internal fault: FileNotFoundError in [^\n/]+\n\Z")

    def test_hello_comes_before_anything_is_asked(self) -> None:
        guard = self.host.spawn()
        assert guard.stdin and guard.stdout and guard.stderr
        header = guard.stdout.read(5)
        hello = json.loads(guard.stdout.read(int.from_bytes(header[1:], "big")))
        self.assertEqual((header[:1], hello["protocol"], sorted(hello)), (b"H", 7, ["guard", "protocol", "python"]))
        guard.communicate(b"", timeout=20)

    def test_inherits_no_descriptor(self) -> None:
        secret = os.open(self.host.directory, os.O_RDONLY)
        high = os.dup2(secret, 50)
        self.addCleanup(os.close, secret)
        self.addCleanup(os.close, high)
        code = (
            "import os\nfrom hotcell_guard.speaking import _protocol\nchannel = _protocol.take_channel()\nfound = []\n"
            "for n in range(300):\n    try: found.append((n, os.fstat(n).st_ino))\n"
            "    except OSError: pass\n"
            "channel.send(b'R', repr(([n for n, _ in found], found[1][1] == found[2][1])).encode())"
        )
        run = subprocess.run(
            [sys.executable, "-sBP", "-c", code],
            env={"PYTHONPATH": str(SOURCE)},
            pass_fds=(secret, high),
            stdin=subprocess.PIPE,
            capture_output=True,
            check=False,
        )
        # 1 is 2: what native code prints goes to the container's raw error stream.
        self.assertEqual(dict(split(run.stdout)), {"R": b"([0, 1, 2, 20, 21], True)"}, run.stderr)

    def test_the_hook_refuses_the_protocols_descriptors(self) -> None:
        # No view shows FileIO; the audit hook stands behind the views.
        hook = _audit.make(Zones("", "/nowhere", "/tmp"), Rules(frozenset(), frozenset(), frozenset()), frozenset((20, 21)), None)
        for descriptor in (20, 21):
            with self.assertRaises(PermissionError):
                hook("open", (descriptor, "w", 0))


class Endings(unittest.TestCase):
    """A report that is due inside the write of another frame."""

    def test_waits_for_the_frame_on_its_way(self) -> None:
        code = (
            "import os\nfrom hotcell_guard.speaking import _protocol\nchannel = _protocol.take_channel()\n"
            "write = channel._write\n"
            "def interrupted(data):\n"
            "    if data[:1] == b'O':\n"
            "        os.write(channel._outgoing, data[:7])\n"
            "        assert channel.writing\n"
            "        try: channel.finish(b'R', b'last')\n"
            "        except _protocol.EndingError: pass\n"
            "        data = data[7:]\n"
            "    write(data)\n"
            "channel._write = interrupted\nassert not channel.writing\nchannel.send(b'O', b'0123456789')\nchannel.send(b'O', b'x')"
        )
        run = subprocess.run(
            [sys.executable, "-sBP", "-c", code],
            env={"PYTHONPATH": str(SOURCE)},
            stdin=subprocess.PIPE,
            capture_output=True,
            timeout=30,
            check=False,
        )
        self.assertEqual((list(split(run.stdout)), run.returncode), ([("O", b"0123456789"), ("R", b"last")], 0), run.stderr)
