"""Known ways out. Each attempt prints the marker only when it has truly succeeded,
and does succeed under plain Python; under the guard none may."""

from __future__ import annotations

import subprocess
import sys
import unittest

from tests.host import Host

MARKER = "ESCAPED"
HEADER = "import io, functools, operator, random, statistics, json, typing, dataclasses, concurrent.futures\n"

# {secret} is a file outside the zones; every other line is Python.
ATTEMPTS = {
    "imports os": "import os\nprint('ESCAPED', os.getpid())",
    "imports a name from os": "from os import getpid\nprint('ESCAPED', getpid())",
    "imports a module below os": "import os.path as p\nprint('ESCAPED', p.os.getpid())",
    "imports ctypes": "import ctypes\nprint('ESCAPED', ctypes.CDLL(None).getpid())",
    "calls __import__": "print('ESCAPED', __import__('os').getpid())",
    "calls eval": "print('ESCAPED', eval('__import__(\"os\").getpid()'))",
    "calls exec": "exec('import os; print(\"ESCAPED\", os.getpid())')",
    "uses eval as a decorator": "@eval\n@lambda f: \"print('ESCAPED')\"\ndef f(): pass",
    "binds eval to an operator": "class A:\n    __add__ = eval\n    __class_getitem__ = eval\nA[\"print('ESCAPED')\"]",
    "shadows eval in another scope": "def f(eval): pass\neval('print(\"ESCAPED\")')",
    "reads builtins from a method": "print('ESCAPED', print.__self__.__import__('os').getpid())",
    "walks the subclasses": (
        "c = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0]\n"
        "print('ESCAPED', c.__init__.__globals__['getpid']())"
    ),
    "walks the mro": "print('ESCAPED', type([]).mro()[1].__subclasses__()[0])",
    "reads a library's module": "import pandas as pd\nprint('ESCAPED', pd.io.common.os.getpid())",
    "reads a library's private module": "print('ESCAPED', random._os.getpid())",
    "reads sys through a library": "print('ESCAPED', statistics.sys.modules['os'].getpid())",
    "spells an attribute in full width": "import pandas as pd\nprint('ESCAPED', pd.io.common.ｏｓ.getpid())",
    "builds an attribute name": "import pandas as pd\nprint('ESCAPED', getattr(pd.io.common, 'o' + 's').getpid())",
    "maps getattr": "import pandas as pd\nprint('ESCAPED', next(map(getattr, [pd.io.common], ['o' + 's'])).getpid())",
    "gives getattr a str that lies": (
        "import pandas as pd\nclass S(str):\n"
        "    def startswith(self, *a): return False\n    def strip(self, *a): return 'x'\n"
        "print('ESCAPED', getattr(pd.io.common, S('o' + 's')).getpid())"
    ),
    "uses functools.partial of getattr": (
        "import pandas as pd\nprint('ESCAPED', functools.partial(getattr, pd.io.common)('o' + 's').getpid())"
    ),
    "uses attrgetter": "import pandas as pd\nprint('ESCAPED', operator.attrgetter('o' + 's')(pd.io.common).getpid())",
    "imports attrgetter": (
        "from operator import attrgetter as a\nimport pandas as pd\nprint('ESCAPED', a('o' + 's')(pd.io.common).getpid())"
    ),
    "reads a module's dict": "import pandas as pd\nprint('ESCAPED', pd.io.common.__dict__['os'].getpid())",
    "calls vars on a module": "import pandas as pd\nprint('ESCAPED', vars(pd.io.common)['os'].getpid())",
    "matches an attribute": (
        "import pandas as pd\nmatch pd.io.common:\n    case object(os=o):\n        print('ESCAPED', o.getpid())"
    ),
    "reads a generator's frame": (
        "g = (x for x in ())\nprint('ESCAPED', g.gi_frame.f_builtins['__import__']('os').getpid())"
    ),
    "reads a traceback's frame": (
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    b = e.__traceback__.tb_frame.f_builtins\n"
        "    print('ESCAPED', b['__import__']('os').getpid())"
    ),
    "reads a function's globals": "print('ESCAPED', json.loads.__globals__['codecs'].builtins.open)",
    "runs query with a local module": (
        "import pandas as pd\nm = pd.io.common\nd = pd.DataFrame({{'a': [1]}})\n"
        "print('ESCAPED', len(d.query('a < @m.o' + 's.getpid()')))"
    ),
    "runs pandas.eval on a built string": (
        "import pandas as pd\nm = pd.io.common\nd = pd.DataFrame({{'a': [1]}})\n"
        "print('ESCAPED', pd.eval('d.a + m.o' + 's.getpid()').iloc[0])"
    ),
    "runs code in a formula": (
        "import numpy as np, pandas as pd, statsmodels.formula.api as smf\nd = pd.DataFrame({{'x': [1., 2, 3], 'y': [1., 2, 4]}})\n"
        "smf.ols('y ~ x + np.log(__imp' + 'ort__(\"os\").getpid() + x)', d).fit()\n"
        "print('ESCAPED')"
    ),
    "evaluates a type hint": (
        "class A:\n    x: \"print('ESCAPED')\"\ntyping.get_type_hints(A)"
    ),
    "opens a file outside": "print('ESCAPED', open({secret!r}).read())",
    "opens a file outside by bytes": "print('ESCAPED', open({secret!r}.encode()).read())",
    "opens a file outside by traversal": "print('ESCAPED', open(str(DATA) + '/../' + {secret!r}.split('/')[-1]).read())",
    "opens with a path that lies": (
        "class P:\n    n = 0\n    def __fspath__(self):\n        self.n += 1\n"
        "        return str(OUTPUT / 'x') if self.n == 2 else {secret!r}\nprint('ESCAPED', open(P()).read())"
    ),
    "opens through pathlib": "print('ESCAPED', type(DATA)({secret!r}).read_text())",
    "opens through io": "print('ESCAPED', io.open({secret!r}).read())",
    "opens through io.FileIO": "print('ESCAPED', io.FileIO({secret!r}).read())",
    "opens through pandas": "import pandas as pd\nprint('ESCAPED', pd.read_csv({secret!r}))",
    "opens through numpy": "import numpy as np\nprint('ESCAPED', np.fromfile({secret!r}, dtype='u1'))",
    "opens through memmap": "import numpy as np\nprint('ESCAPED', np.memmap({secret!r}, mode='r'))",
    "lists a directory outside": "print('ESCAPED', sorted(type(DATA)({secret!r}).parent.iterdir()))",
    "makes a link and reads it": (
        "(OUTPUT / 'link').symlink_to({secret!r})\nprint('ESCAPED', (OUTPUT / 'link').read_text())"
    ),
    "makes a hard link": "(OUTPUT / 'link').hardlink_to({secret!r})\nprint('ESCAPED')",
    "changes the bundle": "open(DATA / 'new.csv', 'w').close()\nprint('ESCAPED')",
    "changes the bundle through pandas": (
        "import pandas as pd\npd.DataFrame({{'a': [1]}}).to_csv(DATA / 'new.csv')\nprint('ESCAPED')"
    ),
    "removes a file of the bundle": "(DATA / 'visits.csv').unlink()\nprint('ESCAPED')",
    "moves a file out of the bundle": "(DATA / 'visits.csv').rename(OUTPUT / 'x')\nprint('ESCAPED')",
    "unpickles through numpy": (
        "import numpy as np\ns = b'\\x93NUMPY\\x01\\x00v\\x00' + repr({{'descr': '|O', 'fortran_order': False, 'shape': (1,)}})"
        ".ljust(117).encode() + b'\\n'\n"
        "p = b'cposix\\ngetpid\\n(tR.'\nprint('ESCAPED', np.load(io.BytesIO(s + p), allow_pickle=True))"
    ),
    "unpickles through pandas": (
        "import pandas as pd\nx = pd.Series([1])\nx.to_pickle(OUTPUT / 'p')\nprint('ESCAPED', pd.read_pickle(OUTPUT / 'p'))"
    ),
    "starts a process pool": (
        "def f(): return 1\nwith concurrent.futures.ProcessPoolExecutor(1) as pool:\n"
        "    print('ESCAPED', pool.submit(f).result())"
    ),
    "starts a program through a library": (
        "import matplotlib.cbook as c\nprint('ESCAPED', c.subprocess.run(['/usr/bin/python3', '-c', '']))"
    ),
    "makes a socket through a library": (
        "import pandas as pd\ntry:\n    pd.read_csv('http://127.0.0.1:9/x.csv')\n"
        "except OSError as e:\n    print('held' if 'not available in this run' in str(e) else 'ESCAPED')"
    ),
    "reads memory out of bounds": (
        "import numpy as np\nprint('ESCAPED', np.lib.stride_tricks.as_strided(np.zeros(1), (4,), (8,)))"
    ),
    "reads the guard": "import hotcell_guard.vetting._rules as r\nprint('ESCAPED', r.Rules)",
    "imports a module as a name of a package": "from pandas.io.common import os\nprint('ESCAPED', os.getpid())",
    "imports a private name": "from random import _os\nprint('ESCAPED', _os.getpid())",
    "imports with a star": "from pandas import *\nprint('ESCAPED', Series([1]))",
    "imports an unlisted submodule": "import pandas.io.common\nprint('ESCAPED')",
    "reaches __class__ of a module": "print('ESCAPED', json.__loader__)",
    "replaces the builtins": "__builtins__ = None\nprint('ESCAPED')",
    "names a builtins module": "print('ESCAPED', __builtins__)",
    "uses a format field": "print('ESCAPED', '{{0.__globals__}}'.format(json.loads))",
}

# Their success needs what plain Python may not have where the tests run: the
# guard on its path, a program to start, /dev/shm, a module that has the name.
UNPROVEN = {
    "starts a process pool",
    "reads the guard",
    "imports an unlisted submodule",
    "starts a program through a library",
    "imports a private name",
}


class Escapes(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)
        (self.host.bundle / "visits.csv").write_text("a\n1\n")
        self.secret = self.host.directory / "secret"
        self.secret.write_text("a secret\n")

    def script(self, attempt: str) -> str:
        return HEADER + attempt.replace("{{", "{").replace("}}", "}").replace("{secret!r}", repr(str(self.secret)))

    def test_none_succeeds_under_the_guard(self) -> None:
        for name, attempt in ATTEMPTS.items():
            with self.subTest(name):
                run = self.host.run(self.script(attempt))
                self.assertNotIn(MARKER, run.stdout + run.stderr)
                self.assertIn(run.outcome, ("rejected", "raised", "completed"))
                self.assertEqual(run.code, 0)

    def test_each_succeeds_without_it(self) -> None:
        prelude = (
            f"import os, pathlib\nDATA = pathlib.Path({str(self.host.bundle)!r})\n"
            f"OUTPUT = pathlib.Path({str(self.host.output)!r})\nos.chdir(OUTPUT)\ndel os, pathlib\n"
        )
        for name, attempt in ATTEMPTS.items():
            if name in UNPROVEN:
                continue
            with self.subTest(name):
                (self.host.bundle / "visits.csv").write_text("a\n1\n")
                (self.host.output / "link").unlink(missing_ok=True)
                script = self.host.directory / "attempt.py"
                script.write_text(prelude + self.script(attempt))
                plain = subprocess.run([sys.executable, "-sBP", str(script)], capture_output=True, timeout=120)
                self.assertIn(MARKER, plain.stdout.decode(), plain.stderr.decode()[-500:])
