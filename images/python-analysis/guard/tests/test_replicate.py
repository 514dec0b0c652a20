"""A saved run, again, without a container."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import unittest
from typing import Any

from tests import preparing
from tests.host import SOURCE, Host, start_frame

CODE = "print(visits.x.sum())\nvisits.to_csv(OUTPUT / 'out.csv')\nresult = {'rows': len(visits)}\n"


class ReplicationCase(unittest.TestCase):
    """What both parts need."""

    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)
        self.script = self.host.directory / "run_20261121T004035Z_1.py"
        self.digest = self.add_bundle("g,x\na,1\nb,2\n")
        self.give(self.export())

    def add_bundle(self, table: str, **more: object) -> str:
        (self.host.bundle / "visits.csv").write_text(table)
        entry: dict[str, object] = {
            "path": "visits.csv",
            "bytes": len(table),
            "sha256": hashlib.sha256(table.encode()).hexdigest(),
            "media_type": "text/csv",
            "table": "visits",
            **more,
        }
        prepared = preparing.of_csv(self.host.bundle, "visits.csv")
        sha256 = hashlib.sha256((self.host.bundle / prepared["path"]).read_bytes()).hexdigest()
        index = {"format": 1, "tables": [{"table": "visits", "path": prepared["path"], "sha256": sha256}]}
        (self.host.bundle / ".tables" / "index.json").write_text(json.dumps(index))
        manifest = json.dumps({"version": 2, "files": [entry]})
        (self.host.bundle / "bundle.json").write_text(manifest)
        return f"sha256:{hashlib.sha256(manifest.encode()).hexdigest()}"

    def save(self, code: str | bytes, bundle: str = "", /, **changes: str) -> None:
        """Write what the host's records keep (internal/records tests the same lines)."""
        code = code.encode() if isinstance(code, str) else code
        fields = {
            "run": "1795219431042-9f86d081884c7d65",
            "started": "2026-11-21T00:40:35Z",
            "status": "succeeded",
            "script": "analysis.py",
            "policy": f"study-analysis, sha256 {'a' * 64}",
            "image": f"sha256:{'b' * 64}",
            "bundle": bundle,
            "DataFrames": "visits",
            "code": f"sha256 {hashlib.sha256(code).hexdigest()}",
        } | changes
        self.header = [
            "# -*- coding: utf-8 -*-",
            "# Recorded by Hotcell. The code begins below the line of equals signs.",
            *(f"# {name}: {value}" for name, value in fields.items()),
            "# " + "=" * 76,
        ]
        self.script.write_bytes("\n".join(self.header).encode() + b"\n" + code)

    def export(self, **changes: Any) -> dict[str, Any]:
        """What ``runner policy show study-analysis --guard-rules`` prints; changes are of the rules."""
        rules = start_frame(self.host.directory)["rules"] | changes
        return {"version": 1, "policy": "study-analysis", "policy_sha256": "a" * 64, "rules": rules}

    def give(self, exported: Any) -> None:
        text = exported if isinstance(exported, str) else json.dumps(exported)
        (self.host.directory / "rules.json").write_text(text)

    def replicate(self, *options: str, flags: str = "-sBP") -> Any:
        environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
        own = () if "--rules" in options else ("--rules", "rules.json")
        command = [sys.executable, flags, "-m", "hotcell_guard.replicate", *own, *options, str(self.script)]
        return subprocess.run(
            command, env=environment, cwd=self.host.directory, capture_output=True, text=True, timeout=120, check=False
        )

    def refused(self, words: str, *options: str) -> None:
        """Nothing ran, nothing was made, and the caller is told what is wrong."""
        before = sorted(os.listdir(self.host.directory))
        run = self.replicate(*options)
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
        self.assertIn(words, run.stderr)
        self.assertEqual(sorted(os.listdir(self.host.directory)), before)


class Replication(ReplicationCase):
    def test_runs_under_the_same_guard(self) -> None:
        self.save(CODE, self.digest)
        report = self.host.directory / "report.json"
        run = self.replicate("--bundle", "bundle", "--output", "again", "--report", str(report))
        self.assertEqual((run.returncode, run.stdout), (0, "3\n"), run.stderr)
        self.assertIn("replicate: there is no container here; ", run.stderr.splitlines()[0])
        self.assertIn('replicate: result: {"rows": 2}\nreplicate: completed; files: out.csv\n', run.stderr)
        self.assertTrue((self.host.directory / "again" / "out.csv").is_file())
        self.assertEqual(json.loads(report.read_text())["result"], {"rows": 2})

    def test_names_the_output_after_the_script(self) -> None:
        self.save("open('a', 'w').close()")
        self.assertEqual(self.replicate().returncode, 0)
        made = self.host.directory / self.script.stem
        self.assertEqual((os.listdir(made), made.stat().st_mode & 0o777), (["a"], 0o700))

    def test_gives_inputs(self) -> None:
        self.save("print(data['n'])")
        self.give(self.export(inputs="data"))
        (self.host.directory / "inputs.json").write_text('{"n": 3}')
        run = self.replicate("--inputs", "inputs.json")
        self.assertEqual((run.returncode, run.stdout), (0, "3\n"), run.stderr)

    def test_vets_as_the_sandbox_does(self) -> None:
        self.save("import os")
        run = self.replicate()
        self.assertEqual(run.returncode, 3)
        self.assertIn("1:8: import.denied: 'os' may not be imported", run.stderr)

    def test_the_floor_holds_whatever_the_rules_list(self) -> None:
        self.save("import posix, subprocess\nprint('ESCAPED', posix.getuid())")
        self.give(self.export(imports=["posix", "subprocess"]))
        run = self.replicate()
        self.assertEqual((run.returncode, run.stdout), (3, ""), run.stderr)

    def test_tells_what_the_script_raised(self) -> None:
        self.save("\n1 / 0")
        run = self.replicate()
        self.assertEqual(run.returncode, 1)
        self.assertIn('File "analysis.py", line 2, in <module>', run.stderr)

    def test_a_guard_that_dies_is_no_result(self) -> None:
        self.save("1")
        self.give(self.export(inputs="data"))
        (self.host.directory / "inputs.json").write_text("[]")
        run = self.replicate("--inputs", "inputs.json")
        self.assertEqual(run.returncode, 125)
        self.assertIn("replicate: the guard ended without a report, with exit code 70", run.stderr)


class NothingInTheScriptDecides(ReplicationCase):
    """Attacks by who writes the script's file, or puts something in the caller's way."""

    OTHER = f"interpreter, sha256 {'a' * 64}"
    POLICY = f"study-analysis, sha256 {'c' * 64}"
    ATTACK = "import os\nprint('ESCAPED', os.getuid())\n"

    def rewrite(self, change: Any) -> None:
        """Save the attack with another header."""
        self.save(self.ATTACK)
        self.script.write_text("\n".join(change(list(self.header))) + "\n" + self.ATTACK)

    def test_rules_in_the_header_are_refused(self) -> None:
        rules = json.dumps(self.export(unguarded=True)["rules"])
        for name, line in (
            ("the guard off", f"# rules: {rules}"),
            ("rules", f"# rules: {json.dumps(self.export()['rules'])}"),
            ("unguarded", "# unguarded: true"),
            ("a mode", "# mode: check"),
            ("what nobody knows", "# anything: at all"),
            ("a comment", "#"),
        ):
            for place in (2, 5, 11):
                with self.subTest(name, place=place):
                    self.rewrite(lambda head, line=line, place=place: [*head[:place], line, *head[place:]])
                    self.refused("its header has 10 fields, not 9")

    def test_a_header_that_is_not_the_hosts_is_refused(self) -> None:
        rules = f"# rules: {json.dumps(self.export(unguarded=True)['rules'])}"
        for name, change in (
            ("a field instead of another", lambda head: [*head[:5], rules, *head[6:]]),
            ("a field twice", lambda head: [*head[:5], head[4], *head[6:]]),
            ("two fields changed about", lambda head: [*head[:2], head[3], head[2], *head[4:]]),
            ("no field", lambda head: [*head[:2], head[-1]]),
            ("a field after the code's", lambda head: [*head[:-2], head[-1], head[-2]]),
            ("another encoding", lambda head: ["# -*- coding: utf-7 -*-", *head[1:]]),
            ("an encoding in the second line", lambda head: [head[0], "# coding: utf-7", *head[2:]]),
            ("a line before it", lambda head: ["", *head]),
            ("code before it", lambda head: ["import os", *head]),
            ("a byte order mark", lambda head: ["\ufeff" + head[0], *head[1:]]),
            ("carriage returns", lambda head: [line + "\r" for line in head]),
            ("a line within a field, by a form feed", lambda head: [*head[:5], head[5] + f"\f{rules}", *head[6:]]),
            ("a line within a field, by U+2028", lambda head: [*head[:5], head[5] + f"\u2028{rules}", *head[6:]]),
            ("digits that are none", lambda head: [*head[:2], "# run: \u0661-\u0661", *head[3:]]),
            ("a path as the script's name", lambda head: [*head[:5], "# script: /etc/passwd", *head[6:]]),
        ):
            with self.subTest(name):
                self.rewrite(change)
                self.refused("is not the saved code of a run")
        self.script.write_text(self.ATTACK)
        self.refused("is not the saved code of a run")

    def test_a_second_header_is_code(self) -> None:
        self.save(self.ATTACK)
        rules = json.dumps(self.export(unguarded=True)["rules"])
        inner = self.script.read_text().replace("# run:", f"# rules: {rules}\n# run:")
        self.save(inner)
        run = self.replicate()
        self.assertEqual((run.returncode, run.stdout), (3, ""), run.stderr)
        self.assertIn("import.denied", run.stderr)

    def test_an_encoding_of_the_code_is_for_the_guard_to_refuse(self) -> None:
        self.save(b"# coding: utf-7\n+AAo-import os\n")
        run = self.replicate()
        self.assertEqual((run.returncode, run.stdout), (3, ""), run.stderr)
        self.assertIn("source.coding", run.stderr)

    def test_what_the_header_says_is_compared(self) -> None:
        for name, bundle, changes, options, words in (
            ("another code", "", {"code": f"sha256 {'0' * 64}"}, (), "it was changed after it was saved"),
            ("another policy", "", {"policy": self.OTHER}, (), "the run had interpreter, sha256 aa"),
            ("a policy that was changed", "", {"policy": self.POLICY}, (), "sha256 cc"),
            ("no bundle given", self.digest, {}, (), "give its directory with --bundle"),
            ("another bundle", f"sha256:{'0' * 64}", {}, ("--bundle", "bundle"), "and the run had sha256:00"),
            ("a bundle that the run had not", "", {}, ("--bundle", "bundle"), "and the run had none"),
            ("no bundle there", self.digest, {}, ("--bundle", "nothing"), "cannot be read"),
        ):
            with self.subTest(name):
                self.save(CODE, bundle, **changes)
                self.refused(words, *options)

    def test_rules_come_from_the_caller_and_have_a_guard(self) -> None:
        self.save(self.ATTACK)
        export = self.export()
        for name, exported, words in (
            ("the guard off", self.export(unguarded=True), "asks for no guard"),
            ("the guard off, falsely", self.export(unguarded=False), "asks for no guard"),
            ("the guard off, outside", export | {"unguarded": True}, "does not hold a policy's rules"),
            ("the guard off, twice", json.dumps(export)[:-1] + ', "rules": {}}', "duplicate name"),
            ("another version", export | {"version": 2}, "does not hold a policy's rules"),
            ("no policy", {"rules": export["rules"]}, "does not hold a policy's rules"),
            ("rules alone", export["rules"], "does not hold a policy's rules"),
            ("rules that are no object", export | {"rules": []}, "asks for no guard"),
            ("a rule that nobody knows", self.export(more=1), "unknown or missing names"),
            ("a rule too few", export | {"rules": {"imports": []}}, "unknown or missing names"),
            ("a module of the floor", self.export(preloaded=[{"name": "os", "module": "posix"}]), "no policy can allow"),
            ("something behind", json.dumps(export) + "{}", "is not valid JSON"),
            ("nothing", "", "is not valid JSON"),
        ):
            with self.subTest(name):
                self.give(exported)
                self.refused(words)
        self.refused("is not valid JSON", "--rules", str(self.script))
        self.refused("cannot be read", "--rules", "nowhere.json")

    def test_rules_are_required(self) -> None:
        self.save("1")
        command = [sys.executable, "-sBP", "-m", "hotcell_guard.replicate", str(self.script)]
        environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
        run = subprocess.run(
            command, env=environment, cwd=self.host.directory, capture_output=True, text=True, timeout=120, check=False
        )
        self.assertEqual(run.returncode, 2)
        self.assertIn("required: --rules", run.stderr)

    def test_only_regular_files_are_read(self) -> None:
        self.save(CODE, self.digest)
        (self.host.directory / "inputs.json").write_text("{}")
        for path, options in (
            (self.script, ()),
            (self.host.directory / "rules.json", ()),
            (self.host.directory / "inputs.json", ("--inputs", "inputs.json")),
            (self.host.bundle / "bundle.json", ()),
            (self.host.bundle / "visits.csv", ()),
        ):
            kept = path.with_suffix(".kept")
            for kind, make, words in (
                ("a symbolic link", lambda path, kept: path.symlink_to(kept), "symbolic link"),
                ("a pipe", lambda path, kept: os.mkfifo(path), "is not a regular file"),
                ("a directory", lambda path, kept: path.mkdir(), "is not a regular file"),
                ("a device", lambda path, kept: path.symlink_to("/dev/zero"), "symbolic link"),
            ):
                with self.subTest(kind, path=path.name):
                    path.rename(kept)
                    make(path, kept)
                    self.refused(words, "--bundle", "bundle", *options)
                    path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
                    kept.rename(path)
        self.assertEqual(self.replicate("--bundle", "bundle").returncode, 0)

    def test_a_file_that_is_too_large_is_refused(self) -> None:
        self.save("1")
        with self.script.open("ab") as file:
            file.truncate((64 << 20) + 1)
        self.refused("has more than")

    def test_a_table_behind_a_link_is_refused(self) -> None:
        self.save(CODE, self.digest)
        (self.host.directory / "elsewhere").mkdir()
        self.host.bundle.rename(self.host.directory / "real")
        self.host.bundle.symlink_to("real")
        self.assertEqual(self.replicate("--bundle", "bundle").returncode, 0)
        manifest = json.loads((self.host.bundle / "bundle.json").read_text())
        manifest["files"][0]["path"] = "link/visits.csv"
        (self.host.bundle / "link").symlink_to(".")
        text = json.dumps(manifest)
        (self.host.bundle / "bundle.json").write_text(text)
        self.save(CODE, f"sha256:{hashlib.sha256(text.encode()).hexdigest()}")
        self.refused("is behind a symbolic link", "--bundle", "bundle", "--output", "other")

    def test_refuses_a_table_that_was_changed(self) -> None:
        self.save(CODE, self.digest)
        (self.host.bundle / "visits.csv").write_text("g,x\na,1\nb,3\n")
        self.refused("visits.csv of the bundle is not what bundle.json says", "--bundle", "bundle")

    def test_a_table_that_the_store_has_decoded_is_the_stores(self) -> None:
        encoding = {"name": "cp1252", "replaced": 0, "bytes": 12, "sha256": "0" * 64}
        self.save(CODE, self.add_bundle("g,x\na,1\nb,2\n", encoding=encoding))
        self.assertEqual(self.replicate("--bundle", "bundle").returncode, 0)
        (self.host.bundle / "visits.csv").write_bytes(b"g,x\n\xe9,1\nb,2\n")
        self.refused("or not yet decoded: give the store's copy", "--bundle", "bundle", "--output", "other")

    def test_the_output_is_a_directory_of_its_own(self) -> None:
        self.save(CODE, self.digest)
        here = self.host.directory
        (here / "full").mkdir()
        (here / "full" / "x").touch()
        (here / "empty").mkdir(mode=0o777)
        (here / "link").symlink_to("empty")
        (here / "dangling").symlink_to("nowhere")
        (here / "file").touch()
        for name, output, words in (
            ("one with files", "full", "name a new directory"),
            ("one that anybody may write", "empty", "name a new directory"),
            ("a link", "link", "name a new directory"),
            ("a link to nowhere", "dangling", "name a new directory"),
            ("a link, with a slash behind", "link/", "name a new directory"),
            ("a file", "file", "name a new directory"),
            ("where it was started", ".", "name a new directory"),
            ("above", "empty/..", "name a new directory"),
            ("the root", "/", "name a new directory"),
            ("in the bundle", "bundle/out", "would be in the bundle"),
            ("in the bundle, by way of another", "empty/../bundle/out", "would be in the bundle"),
            ("below nothing", "nowhere/out", "No such file"),
        ):
            with self.subTest(name):
                self.refused(words, "--bundle", "bundle", "--output", output)
        self.assertEqual(sorted(os.listdir(here / "bundle")), [".tables", "bundle.json", "visits.csv"])

    def test_the_report_replaces_nothing(self) -> None:
        self.save("1")
        (self.host.directory / "link").symlink_to("new")
        before = self.script.read_bytes()
        for report in (str(self.script), "rules.json", "link"):
            with self.subTest(report):
                self.refused("File exists", "--report", report)
        self.assertEqual(self.script.read_bytes(), before)

    def test_the_report_has_the_streams_cut_as_in_the_sandbox(self) -> None:
        self.save("print('é' * 3)\n")
        report = self.host.directory / "report.json"
        run = self.replicate("--report", str(report), "--stdout-bytes", "5", "--stderr-bytes", "100")
        self.assertEqual(run.returncode, 0, run.stderr)
        said = json.loads(report.read_text())
        self.assertEqual((said["stdout"], said["stderr"]), ("éé", ""))
        self.assertEqual(said["truncated"], {"stdout": True, "stderr": False})

    def test_the_guard_loads_where_there_is_no_linux(self) -> None:
        """Nothing of Linux is looked up, but for a lock, which is refused there."""
        code = (
            "import sys; sys.platform = 'darwin'\n"
            "import ctypes; find = ctypes.CDLL\n"
            "class Other(find):\n"
            "    def __init__(self, name, *given, **more):\n"
            "        if name: raise OSError(name)\n"
            "        super().__init__(name, *given, **more)\n"
            "    def __getattr__(self, name):\n"
            "        if name in ('prctl', 'syscall', 'setns', 'unshare'): raise AttributeError(name)\n"
            "        return find.__getattr__(self, name)\n"
            "    def __getitem__(self, name):\n"
            "        return getattr(self, name) if name in ('syscall', 'setns') else find.__getitem__(self, name)\n"
            "ctypes.CDLL = Other\n"
            "from hotcell_guard import _serve, replicate\n"
            "from hotcell_guard.confining import _lock\n"
            "try: _lock.install(b'12345678', None)\n"
            "except _lock.LockFault as fault: print(fault)\n"
        )
        environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
        run = subprocess.run([sys.executable, "-sBPc", code], env=environment, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((run.stdout, run.returncode), ("only Linux has this lock\n", 0), run.stderr)

    def test_the_working_directory_is_no_place_for_imports(self) -> None:
        self.save("1")
        run = self.replicate(flags="-sB")
        self.assertEqual(run.returncode, 2)
        self.assertIn("run it as python3 -P", run.stderr)
