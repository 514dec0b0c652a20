"""What a script looked for and did not find is named, and what a refusal advises works."""

from __future__ import annotations

import unittest
from typing import Any

from tests import preparing
from tests.host import IMPORTS, Host

VISITS = {"name": "visits", "path": ".tables/visits.table"}
COLUMNS = "the columns are 'age', 'sex', 'bmi'"

SAID = {
    "a column": ("visits['agee']", f"KeyError: 'agee'; maybe you meant 'age'; {COLUMNS}"),
    "a column's case": ("visits['Age ']", f"KeyError: 'Age '; maybe you meant 'age'; {COLUMNS}"),
    "columns": ("visits[['age', 'sexx']]", f"""KeyError: "['sexx'] not in index"; maybe you meant 'sex'; {COLUMNS}"""),
    "a group's column": ("visits.groupby('sexx').mean()", f"KeyError: 'sexx'; maybe you meant 'sex'; {COLUMNS}"),
    "a row": ("visits.loc[99]", "KeyError: 99; the labels of its rows are 0, 1"),
    "an item of a row": ("visits.iloc[0]['agee']", "KeyError: 'agee'; maybe you meant 'age'; the labels are 'age', 'sex', 'bmi'"),
    "a column in a query": (
        "visits.query('agee > 2')", f"UndefinedVariableError: name 'agee' is not defined; maybe you meant 'age'; {COLUMNS}"
    ),
    "a column as an attribute": (
        "visits.agee", "AttributeError: 'DataFrame' object has no attribute 'agee'; maybe you meant 'age'"
    ),
    "what pandas had": (
        "visits.append({})",
        "AttributeError: 'DataFrame' object has no attribute 'append'; write pd.concat([df, other], ignore_index=True)",
    ),
    "a key": ("d = {'alpha': 1, 2: 3}\nd['alpa']", "KeyError: 'alpa'; maybe you meant 'alpha'; the keys are 'alpha', 2"),
    "a key of a key": ("d = {'a': [{'x': 1}]}\nd['a'][0]['y']", "KeyError: 'y'; the keys are 'x'"),
    "a key in a function": (
        "def f(record, key):\n    return [record[key] for _ in 'a']\nf({'one': 1}, 'two')", "KeyError: 'two'; the keys are 'one'"
    ),
    "a key that is popped": ("d = {'a': 1}\nd.pop('b')", "KeyError: 'b'; the keys are 'a'"),
    "a key on two lines": ("d = {'ä': 1}\nx = (1,\n  d[\n 'b'])", "KeyError: 'b'; the keys are 'ä'"),
    "no keys": ("d = {}\ndel d['b']", "KeyError: 'b'; it has no keys"),
    "an error of the script's": ("raise KeyError('b')", "KeyError: 'b'"),
    "a name": ("total = 1\ntotl", "NameError: name 'totl' is not defined; maybe you meant 'total'"),
    "a function's name": ("def f(rate):\n    return ratee\nf(1)", "NameError: name 'ratee' is not defined; maybe you meant 'rate'"),
    "a table": ("vists", "NameError: name 'vists' is not defined; maybe you meant 'visits'"),
    "an unknown name": ("frame_of_all", "NameError: name 'frame_of_all' is not defined; the tables are 'visits'"),
    "a module": ("np.mean([1])", "NameError: name 'np' is not defined; write 'import numpy as np' first"),
    "a notebook's function": (
        "display(1)", "NameError: name 'display' is not defined; use print(), or make the value the script's last expression"
    ),
    "a method": ("'a'.uper()", "AttributeError: 'str' object has no attribute 'uper'; maybe you meant 'upper'"),
    "an attribute of the script's": (
        "class A:\n    def __init__(self): self.total = 1\nA().totl",
        "AttributeError: 'A' object has no attribute 'totl'; maybe you meant 'total'",
    ),
    "a method of None": (
        "x = None\nx.head()",
        "AttributeError: 'NoneType' object has no attribute 'head'; the value is None: a function without return, and an "
        "operation with inplace=True, give None",
    ),
    "a file": (
        "open('visit.csv')",
        "FileNotFoundError: [Errno 2] No such file or directory: 'visit.csv'; maybe you meant DATA / 'visits.csv'; "
        "DATA has 'sub/people.jsonl', 'visits.csv'",
    ),
    "a file below another directory": (
        "open('people.jsonl')",
        "FileNotFoundError: [Errno 2] No such file or directory: 'people.jsonl'; it is below DATA: "
        "write DATA / 'sub/people.jsonl'",
    ),
    "a file of another computer": (
        "open('/mnt/data/visits.csv')",
        "PermissionError: [Errno 13] open() reads below DATA, OUTPUT and /tmp: '/mnt/data/visits.csv'; it is below DATA: "
        "write DATA / 'visits.csv'",
    ),
    "a place of another computer": (
        "open('/mnt/data/out.csv', 'w')",
        "PermissionError: [Errno 13] open() writes below OUTPUT and /tmp: '/mnt/data/out.csv'; write OUTPUT / 'out.csv'",
    ),
    "a directory": (
        "visits.to_csv('results/out.csv')",
        "OSError: Cannot save file into a non-existent directory: 'results'; to write there, first "
        "(OUTPUT / 'results').mkdir(parents=True, exist_ok=True)",
    ),
    "memory": (
        "bytes(1 << 62)",
        "MemoryError: the run has 512 MiB of memory and the code asked for more; work in parts, keep fewer columns, or "
        "use smaller types",
    ),
}
"""What a script of one mistake is told, word for word."""

LACKING = {
    "visits.to_parquet('x.parquet')": "write CSV with DataFrame.to_csv",
    "visits.to_feather('x.feather')": "write CSV with DataFrame.to_csv",
    "import matplotlib.pyplot as plt\nplt.style.use('seaborn')": "the styles are called 'seaborn-v0_8'",
    "import matplotlib\nmatplotlib.use('TkAgg')\nimport matplotlib.pyplot as plt\nplt.figure()": "leave matplotlib.use() out",
}
"""What asks for packages and programs that are not in the image."""

HOSTILE = {
    "a dict that lies": (
        "class D(dict):\n    def __iter__(self): raise ValueError\n    def keys(self): raise ValueError\n"
        "    def get(self, *a): raise ValueError\nd = D({'real': 2})\nd['rael']",
        "KeyError: 'rael'; maybe you meant 'real'; the keys are 'real'",
    ),
    "keys that raise": (
        "class K:\n    def __repr__(self): raise ValueError\n    def __hash__(self): return 1\n"
        "    def __eq__(self, other): return self is other\nd = {K(): 1, 'a': 2}\nd['b']",
        "KeyError: 'b'; the keys are 'a'",
    ),
    "a key whose class is the script's": (
        "class S(str):\n    def __repr__(self): raise ValueError\n    def __len__(self): raise ValueError\n"
        "d = {S('x'): 1, 'a': 2}\nd['b']",
        "KeyError: 'b'; the keys are 'a'",
    ),
    "an error with fields of its own": (
        "e = NameError()\ne.name = ['x']\nraise e", "NameError: "
    ),
    "an object of an error": (
        "class A:\n    def __dir__(self): raise ValueError\n    def __getattr__(self, name): raise ValueError\n"
        "raise AttributeError('x', name='y' * 5000, obj=A())",
        "AttributeError: x",
    ),
    "a file's name that lies": ("class P(str): pass\nraise FileNotFoundError(2, 'no', P('../x\\0'))", "FileNotFoundError: "),
}


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)
        (self.host.bundle / "visits.csv").write_text("age,sex,bmi\n1,a,2.5\n2,b,3\n")
        preparing.of_csv(self.host.bundle, "visits.csv")
        (self.host.bundle / "sub").mkdir()
        (self.host.bundle / "sub" / "people.jsonl").write_text('{"id": 1}\n')

    def raised(self, code: str, given: Any = None, **changes: Any) -> str:
        run = self.host.run(code, given, **{"tables": [VISITS], **changes})
        self.assertEqual((run.outcome, run.raw_stderr), ("raised", b""), run.report)
        return run.error


class Looking(Case):
    def test_names_what_is_there(self) -> None:
        session = self.host.converse(tables=[VISITS], mode="session")
        for name, (code, said) in SAID.items():
            with self.subTest(name):
                run = session.step(code)
                self.assertEqual((run.outcome, run.error), ("raised", said))
        self.assertEqual(session.end(), (b"", b"", 0))

    def test_inputs_and_tools(self) -> None:
        self.assertEqual(
            self.raised("data['sale']", {"sales": 1}, inputs="data"),
            "KeyError: 'sale'; maybe you meant 'sales'; the keys are 'sales'",
        )
        given = {"inputs": {"alpha": {"x": 1}}}
        for code, said in (
            ("context.inputs['alpa']", "maybe you meant 'alpha'; the keys are 'alpha'"),
            ("context.inputs.alpha['y']", "the keys are 'x'"),
            ("context.tools.lookup({})", "context.tools.call('lookup', {...})"),
            ("context.tools.look", "the tools are: 'lookup'"),
            ("context.input", "maybe you meant 'inputs'"),
        ):
            with self.subTest(code):
                self.assertTrue(self.raised(code, given, inputs="context", tools=["lookup"]).endswith(said), code)

    def test_hostile_objects_break_no_report(self) -> None:
        for name, (code, said) in HOSTILE.items():
            with self.subTest(name):
                self.assertTrue(self.raised(code).startswith(said))

    def test_is_bounded(self) -> None:
        error = self.raised("d = {f'{n:04}' * 100: 1 for n in range(100_000)}\nd['x']")
        self.assertLess(len(error), 1000)
        self.assertIn("more", error)
        for number in range(300):
            (self.host.bundle / f"{number:03}.csv").write_text("")
        self.assertLess(len(self.raised("open('x')")), 1000)

    def test_tells_of_no_files_where_the_script_can_read_none(self) -> None:
        error = self.raised("raise FileNotFoundError(2, 'no', 'visit.csv')", denied_builtins=["open"])
        self.assertEqual(error, "FileNotFoundError: [Errno 2] no: 'visit.csv'")

    def test_tells_of_no_file_outside_the_bundle(self) -> None:
        (self.host.directory / "secret.csv").write_text("x")
        for code in ("open('../secret.csv')", "open('/etc/passwd')", "raise FileNotFoundError(2, 'no', '../secret.csv')"):
            self.assertNotIn("write DATA", self.raised(code))

    def test_says_where_no_bundle_was_given(self) -> None:
        none = "no bundle was given to this run (runner run --bundle NAME; `runner bundle ls` lists them)"
        for code, said in (
            ("DATA / 'visits.csv'", f"NameError: name 'DATA' is not defined; {none}"),
            ("visits.head()", f"NameError: name 'visits' is not defined; if 'visits' is a table: {none}"),
            ("open('visits.csv')", f"FileNotFoundError: [Errno 2] No such file or directory: 'visits.csv'; {none}"),
            ("open('/mnt/data/visits.csv')", f"/tmp: '/mnt/data/visits.csv'; {none}"),
            ("open('a/b.csv')", f"FileNotFoundError: [Errno 2] No such file or directory: 'a/b.csv'; {none}"),
            ("m = 'r'\nopen('a/b.csv', m)", f"mkdir(parents=True, exist_ok=True); to read it: {none}"),
        ):
            with self.subTest(code):
                self.assertTrue(self.raised(code, tables=[], bundle_dir="").endswith(said))
        self.assertNotIn("bundle", self.raised("visits", tables=[], bundle_dir="", inputs="data"))
        self.assertNotIn("bundle", self.raised("open('/etc/passwd')", tables=[], bundle_dir=""))
        self.assertNotIn("bundle", self.raised("open('/mnt/x', 'w')", tables=[], bundle_dir=""))


class Arguments(Case):
    def test_a_script_gets_none(self) -> None:
        parser = "import argparse\np = argparse.ArgumentParser()\np.add_argument('path')\n"
        for code, said in (
            (parser + "p.parse_args()", "write them here, as in parse_args(['value', '--option', 'value'])"),
            (parser + "p.parse_known_args( )", "write them here, as in parse_args(['value', '--option', 'value'])"),
            ("import sys\nsys.argv[1]", "put the values into the script"),
            ("from sys import argv\ndef f():\n    return argv[1:][2], argv[\n7]\nf()", None),
            ("from sys import argv\ndef f():\n    return argv[\n7]\nf()", "put the values into the script"),
            ("import sys\nif len(sys.argv) < 2:\n    sys.exit('usage: x FILE')", "put the values into the script"),
            (parser + "p.parse_args(['a', 'b'])", None),
            ("import sys\nsys.exit(3)", None),
            ("[1][2]", None),
        ):
            with self.subTest(code):
                error = self.raised(code, imports=["sys", "argparse"])
                self.assertEqual(error.partition("; a script gets no arguments: ")[2], said or "", error)


class LeftOut(Case):
    def test_what_the_request_does_without_is_named(self) -> None:
        given = {"imports": ["sklearn"], "left_out": ["sklearn.linear_model", "pandas", "os"]}
        run = self.host.run("import pandas as pd, socket, os\nfrom sklearn.linear_model import Ridge", None, **given)
        added = "the request's --import leaves it out, though the policy has it; add --import"
        self.assertEqual(
            [violation["message"].partition("; ")[2] for violation in run.report["violations"]],
            [f"{added} pandas", "there is no network; data is below DATA", f"{added} os", f"{added} sklearn.linear_model"],
        )
        self.assertIn(
            f"{added} sklearn.linear_model, and write 'import sklearn.linear_model' first",
            self.raised("import sklearn\nsklearn.linear_model", **given),
        )
        self.assertIn(f"{added} pandas", self.raised("pd.DataFrame()", **given))

    def test_a_request_without_any_import(self) -> None:
        run = self.host.run("import math", None, imports=[], left_out=["math"])
        self.assertIn("; the request says --import none, though the policy has it; say --import math instead", run.report["violations"][0]["message"])

    def test_who_reads_is_not_told_to_make_a_directory(self) -> None:
        for code in ("open('d/x.csv')", "open('d/x.csv', 'rb')", "open('d/x.csv', mode='r')", "pd.read_csv('d/x.csv')"):
            self.assertNotIn("mkdir", self.raised(f"import pandas as pd\n{code}", imports=["pandas"]), code)
        for code in ("open('d/x.csv', 'w')", "m = 'w'\nopen('d/x.csv', m)"):
            self.assertIn("to write there, first (OUTPUT / 'd').mkdir", self.raised(code), code)

    def test_a_script_of_another_language(self) -> None:
        for first, said in (("#!/bin/sh", "/bin/sh"), ("#!/usr/bin/env Rscript", "/usr/bin/env Rscript"), ("#!/usr/bin/python3", "")):
            run = self.host.run(f"{first}\necho hello", None)
            message = run.report["violations"][0]["message"]
            self.assertEqual(f"its first line is that of another language ({said}); a run takes Python alone" in message, said != "", message)


class Advice(Case):
    def test_of_what_is_not_in_the_image(self) -> None:
        for code, said in LACKING.items():
            with self.subTest(code):
                error = self.raised(code)
                self.assertIn(said, error)
                for word in ("pip", "conda", "install lxml", "write_html"):
                    self.assertNotIn(word, error.replace("nothing can be installed", ""))

    def test_is_also_what_a_script_prints(self) -> None:
        code = "try:\n    visits.to_feather('x')\nexcept ImportError as error:\n    print(error)"
        run = self.host.run(code, tables=[VISITS])
        self.assertEqual(run.outcome, "completed")
        self.assertIn("nothing can be installed; write CSV", run.stdout)
        self.assertNotIn("pip", run.stdout)


class Tried(Case):
    def test_an_import_that_may_fail_fails(self) -> None:
        for handler in ("ImportError", "ModuleNotFoundError", "Exception", "(ValueError, ImportError)", ""):
            for statement in ("import seaborn", "from sklearn.svm import SVC", "import os, subprocess", "from posix import system"):
                with self.subTest(f"{handler} {statement}"):
                    code = f"found = True\ntry:\n    {statement}\nexcept {handler}:\n    found = False\nfound"
                    run = self.host.run(code.replace("except :", "except:"))
                    self.assertEqual((run.outcome, run.report["result"]), ("completed", False), run.report)

    def test_what_suppress_catches(self) -> None:
        for manager in ("contextlib.suppress(ImportError)", "suppress(ImportError, OSError)"):
            code = f"import contextlib\nfrom contextlib import suppress\nx = 1\nwith {manager}:\n    import seaborn\n    x = 2\nx"
            self.assertEqual(self.host.run(code).report["result"], 1)

    def test_what_no_handler_catches_is_refused_before(self) -> None:
        for code in (
            "try:\n    import os\nexcept ValueError:\n    pass",
            "try:\n    pass\nexcept ImportError:\n    import os",
            "try:\n    pass\nexcept ImportError:\n    pass\nelse:\n    import os",
            "try:\n    def f():\n        import os\nexcept ImportError:\n    pass",
            "try:\n    from os import *\nexcept ImportError:\n    pass",
            "with open('x'):\n    import os",
        ):
            with self.subTest(code):
                self.assertEqual(self.host.run(code).rules, ["import.denied"])

    def test_a_handler_by_another_name_gives_nothing(self) -> None:
        code = "class suppress:\n    def __init__(self, *a): pass\n    def __enter__(self): pass\n    def __exit__(self, *a): return False\n"
        error = self.raised(code + "with suppress(ImportError):\n    import os")
        self.assertTrue(error.startswith("ModuleNotFoundError: 'os' may not be imported"))

    def test_says_what_is_there_instead(self) -> None:
        run = self.host.run("try:\n    import seaborn\nexcept ImportError as e:\n    print(e)", imports=IMPORTS)
        self.assertIn("draw with matplotlib.pyplot", run.stdout)
