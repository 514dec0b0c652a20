"""A saved run, again, without a container."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import unittest
from typing import Any

from tests.host import SOURCE, Host, start_frame

CODE = "print(visits.x.sum())\nvisits.to_csv(OUTPUT / 'out.csv')\nresult = {'rows': len(visits)}\n"


class Replication(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)
        self.script = self.host.directory / "run_20261121T004035Z_1.py"
        self.digest = self.add_bundle("g,x\na,1\nb,2\n")

    def add_bundle(self, table: str) -> str:
        (self.host.bundle / "visits.csv").write_text(table)
        entry = {
            "path": "visits.csv",
            "bytes": len(table),
            "sha256": hashlib.sha256(table.encode()).hexdigest(),
            "media_type": "text/csv",
            "table": "visits",
        }
        manifest = json.dumps({"version": 1, "files": [entry]})
        (self.host.bundle / "bundle.json").write_text(manifest)
        return f"sha256:{hashlib.sha256(manifest.encode()).hexdigest()}"

    def save(self, code: str, bundle: str = "", rules: Any = None, digest: str = "") -> None:
        """Write what the host's records keep."""
        lines = [
            "# -*- coding: utf-8 -*-",
            "# Recorded by Hotcell. The code begins below the line of equals signs.",
            "# run: 1795219431042-9f86d081884c7d65",
            "# script: analysis.py",
            f"# bundle: {bundle}",
            "# DataFrames: visits",
        ]
        if rules is not None:
            lines.append(f"# rules: {json.dumps(rules)}")
        lines += [f"# code: sha256 {digest or hashlib.sha256(code.encode()).hexdigest()}", "# " + "=" * 76]
        self.script.write_text("\n".join(lines) + "\n" + code)

    def rules(self) -> Any:
        return start_frame(self.host.directory)["rules"]

    def replicate(self, *options: str) -> Any:
        environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
        command = [sys.executable, "-sBP", "-m", "hotcell_guard.replicate", *options, str(self.script)]
        return subprocess.run(
            command, env=environment, cwd=self.host.directory, capture_output=True, text=True, timeout=120, check=False
        )

    def test_runs_under_the_same_guard(self) -> None:
        self.save(CODE, self.digest, self.rules())
        report = self.host.directory / "report.json"
        run = self.replicate("--bundle", "bundle", "--output", "again", "--report", str(report))
        self.assertEqual((run.returncode, run.stdout), (0, "3\n"), run.stderr)
        self.assertIn("replicate: there is no container here; ", run.stderr.splitlines()[0])
        self.assertIn('replicate: result: {"rows": 2}\nreplicate: completed; files: out.csv\n', run.stderr)
        self.assertTrue((self.host.directory / "again" / "out.csv").is_file())
        self.assertEqual(json.loads(report.read_text())["result"], {"rows": 2})

    def test_takes_rules_from_a_file_and_names_the_output_after_the_script(self) -> None:
        self.save("open('a', 'w').close()")
        file = self.host.directory / "rules.json"
        file.write_text(json.dumps(self.rules()))
        self.assertEqual(self.replicate("--policy-rules", str(file)).returncode, 0)
        self.assertEqual(os.listdir(self.host.directory / self.script.stem), ["a"])

    def test_gives_inputs(self) -> None:
        self.save("print(data['n'])", rules=self.rules() | {"inputs": "data"})
        (self.host.directory / "inputs.json").write_text('{"n": 3}')
        run = self.replicate("--inputs", "inputs.json")
        self.assertEqual((run.returncode, run.stdout), (0, "3\n"), run.stderr)

    def test_vets_as_the_sandbox_does(self) -> None:
        self.save("import os", rules=self.rules())
        run = self.replicate()
        self.assertEqual(run.returncode, 3)
        self.assertIn("1:8: import.denied: 'os' may not be imported", run.stderr)

    def test_tells_what_the_script_raised(self) -> None:
        self.save("\n1 / 0", rules=self.rules())
        run = self.replicate()
        self.assertEqual(run.returncode, 1)
        self.assertIn('File "analysis.py", line 2, in <module>', run.stderr)

    def test_refuses_what_is_not_the_run(self) -> None:
        rules = self.rules()
        (self.host.directory / "full").mkdir()
        (self.host.directory / "full" / "x").touch()
        for name, code, fields, options, words in (
            ("changed code", CODE, {"rules": rules, "digest": "0" * 64}, (), "it was changed after it was saved"),
            ("no rules", CODE, {}, (), "give those of its policy with --rules"),
            ("no bundle", CODE, {"rules": rules, "bundle": self.digest}, (), "give its directory with --bundle"),
            ("another bundle", CODE, {"rules": rules, "bundle": "sha256:0"}, ("--bundle", "bundle"), "and the run had sha256:0"),
            ("no bundle at all", CODE, {"rules": rules}, ("--bundle", "nothing"), "cannot be read"),
            ("a full output", CODE, {"rules": rules}, ("--output", "full"), "is not empty"),
            ("rules that are none", CODE, {"rules": {"imports": []}}, (), "are not for this guard: rules has unknown or missing names"),
        ):
            with self.subTest(name):
                self.save(code, **fields)
                run = self.replicate(*options)
                self.assertEqual(run.returncode, 2)
                self.assertIn(words, run.stderr)
        self.script.write_text(CODE)
        self.assertIn("is not the saved code of a run", self.replicate().stderr)

    def test_a_guard_that_dies_is_no_result(self) -> None:
        self.save("1", rules=self.rules() | {"inputs": "data"})
        (self.host.directory / "inputs.json").write_text("[]")
        run = self.replicate("--inputs", "inputs.json")
        self.assertEqual(run.returncode, 125)
        self.assertIn("replicate: the guard ended without a report, with exit code 70", run.stderr)

    def test_refuses_a_table_that_was_changed(self) -> None:
        self.save(CODE, self.digest, self.rules())
        (self.host.bundle / "visits.csv").write_text("g,x\na,1\nb,3\n")
        run = self.replicate("--bundle", "bundle")
        self.assertEqual(run.returncode, 2)
        self.assertIn("visits.csv of the bundle is not what bundle.json says", run.stderr)
