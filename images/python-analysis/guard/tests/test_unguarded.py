"""The guard switched off: Python whole, and still the lock, the protocol and the caps."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

from hotcell_guard.speaking import _start
from hotcell_guard.speaking._protocol import ProtocolFault
from tests.host import STAGE_2, Host, Run, start_frame

HERE = Path("/nowhere")


class Unguarded(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def run_off(self, code: str, **changes: object) -> Run:
        rules = {**start_frame(self.host.directory)["rules"], "imports": [], "unguarded": True}
        return self.host.run(code, rules=rules, **changes)

    def printed(self, code: str, **changes: object) -> str:
        run = self.run_off(code, **changes)
        self.assertEqual((run.outcome, run.error), ("completed", ""))
        return run.stdout.strip()

    def test_the_same_code_is_refused_when_the_guard_is_on(self) -> None:
        self.assertEqual(self.host.run("import os").rules, ["import.denied"])
        self.assertEqual(self.printed("import os\nprint(os.getpid() > 0)"), "True")

    def test_gives_pythons_own_builtins_and_modules(self) -> None:
        code = "import builtins, sys\nprint(open is builtins.open, type(sys.modules).__name__, [].__class__.__base__)"
        self.assertEqual(self.printed(code), "True dict <class 'object'>")

    def test_threads_print(self) -> None:
        code = """
import _thread, threading
each = threading.Thread(target=print, args=("one",))
each.start()
each.join()
done = threading.Event()
_thread.start_new_thread(lambda: print("two") or done.set(), ())
done.wait(60)
"""
        self.assertEqual(self.printed(code), "one\ntwo")

    def test_loads_native_modules_before_the_lock(self) -> None:
        code = """
import ctypes, ctypes.util, socket, subprocess, resource, select, fcntl, mmap, multiprocessing, sqlite3, ssl
print(ctypes.CDLL(None).getpid() > 0, __import__("importlib").import_module("_posixshmem").__name__)
"""
        self.assertEqual(self.printed(code), "True _posixshmem")

    @unittest.skipUnless(STAGE_2, "needs the shipped filter")
    def test_is_locked_all_the_same(self) -> None:
        code = """
import os
try:
    os.fork()
except OSError as error:
    print(error.errno)
"""
        self.assertEqual(self.printed(code), "1")

    def test_can_speak_for_the_guard(self) -> None:
        # The host must live with that: it can be done by design.
        code = """
import os, json
report = {"outcome": "completed", "error": None, "limit": "", "violations": [], "result": "forged", "charts": [],
          "files": [], "truncated": {"stdout": False, "stderr": False}}
payload = json.dumps(report).encode()
for descriptor in range(3, 1024):
    try:
        os.write(descriptor, b"R" + len(payload).to_bytes(4, "big") + payload)
        os._exit(0)
    except OSError:
        pass
"""
        run = self.run_off(code)
        self.assertEqual(run.report["result"], "forged")

    def test_keeps_the_caps_and_the_report(self) -> None:
        run = self.run_off("print('x' * 1000)\nimport os\nos.mkdir('d')\nopen('d/f', 'w').write('1')", stdout_bytes=10)
        self.assertEqual((run.stdout, run.report["truncated"]["stdout"], run.paths), ("x" * 10, True, ["d/f"]))

    def test_an_exception_and_no_python_are_reported(self) -> None:
        raised = self.run_off("import os\n1/0")
        self.assertEqual((raised.outcome, raised.report["error"]["line"]), ("raised", 2))
        self.assertEqual(self.run_off("def").rules, ["syntax.error"])
        self.assertEqual(self.run_off("x = " + "(" * 5000).rules, ["syntax.error"])

    def test_finds_its_inputs(self) -> None:
        rules = {**start_frame(self.host.directory)["rules"], "unguarded": True, "inputs": "data"}
        self.assertEqual(self.host.run("print(data['a'])", {"a": 1}, rules=rules).stdout, "1\n")


class Starts(unittest.TestCase):
    def decode(self, mode: str = "run", **rules: object) -> _start.Start:
        start = start_frame(HERE, mode=mode)
        return _start.decode(json.dumps(start | {"rules": start["rules"] | rules}).encode())

    def test_a_start_without_the_word_guards(self) -> None:
        self.assertFalse(self.decode().unguarded)
        self.assertFalse(self.decode(unguarded=False).unguarded)
        self.assertTrue(self.decode(unguarded=True).unguarded)

    def test_only_a_boolean_will_do_and_only_for_a_run(self) -> None:
        for given in (1, "true", None, []):
            with self.assertRaises(ProtocolFault):
                self.decode(unguarded=given)
        for mode in ("check", "session"):
            with self.assertRaises(ProtocolFault):
                self.decode(mode=mode, unguarded=True)


if __name__ == "__main__":
    unittest.main()
