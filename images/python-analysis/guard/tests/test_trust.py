"""What the guard believes of a script, and what of the guard's own a script gets hold of."""

from __future__ import annotations

import unittest
from typing import Any

from tests.host import Host, Run

IMPORTS = (
    "os os.path sys tempfile inspect functools json io pathlib threading pandas numpy dataclasses enum asyncio copy codecs "
    "operator itertools collections re contextlib glob shutil"
).split()


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def run_script(self, code: str, **changes: Any) -> Run:
        run = self.host.run(code, imports=IMPORTS, **changes)
        self.assertEqual(run.raw_stderr, b"")
        return run

    def prints(self, code: str, text: str, **changes: Any) -> Run:
        run = self.run_script(code, **changes)
        self.assertEqual((run.outcome, run.error), ("completed", ""), run.report)
        self.assertEqual(run.stdout, text)
        return run


def add(params: Any) -> Any:
    return 1


class LimitTest(Case):
    """A limit of the run is exceeded where the guard finds it so, whatever a script raises."""

    def step(self, code: str, **changes: Any) -> Run:
        talk = self.host.converse(tools={"add": add}, imports=IMPORTS, inputs="names", **changes)
        try:
            return talk.step(code)
        finally:
            talk.end()

    # Every way that an exception shows what it came from.
    LOOK = """
def seen(error):
    found = [error, sys.exc_info()[1]]
    for each in found:
        for name in ('__context__', '__cause__'):
            other = getattr(each, name, None)
            if other is not None and not any(other is one for one in found):
                found.append(other)
    return [each for each in found if each is not None]
"""

    def test_parameters_that_are_too_large_give_no_class_of_the_guards(self) -> None:
        for params in ("{'a': 'x' * 100_000}", "{'a': object()}", "{'a': Text()}", "{Key(): object()}"):
            run = self.step(
                f"""
import sys
{self.LOOK}
kinds = []
class Key:
    def __str__(self):
        kinds.append(sys.exc_info()[1])
        try:
            1 / 0
        except ZeroDivisionError as error:
            kinds.extend(seen(error))
        return 'k'
class Text:
    def __repr__(self):
        kinds.append(sys.exc_info()[1])
        return 't'
try:
    add({params})
except Exception as error:
    kinds += seen(error)
result = sorted({{type(each).__name__ for each in kinds if each is not None}} - {{'ZeroDivisionError', 'TypeError', 'ValueError'}})
"""
            )
            with self.subTest(params):
                self.assertEqual((run.outcome, run.report["result"]), ("completed", []), run.report)

    def test_no_exception_of_a_scripts_exceeds_a_limit(self) -> None:
        run = self.step(
            """
try:
    add({'a': 'x' * 100_000})
except ValueError as error:
    found = error.__context__
raise type(found)('forged') if found is not None else ValueError('not forged')
"""
        )
        self.assertEqual((run.outcome, run.report["limit"]), ("raised", ""), run.report)

    def test_a_limit_that_is_exceeded_is_told(self) -> None:
        for code in ("result = 'x' * (2 << 20)", "a = []\na.append(a)\nresult = a", "result = list(range(1 << 20))"):
            run = self.run_script(code)
            with self.subTest(code):
                self.assertEqual((run.outcome, run.report["limit"]), ("raised", "report"), run.report)
                self.assertEqual(run.report["error"]["type"], "ResultTooLargeError")

    def test_a_scripts_conversion_cannot_take_a_limit_back_or_forge_it(self) -> None:
        run = self.run_script(
            """
class Rows(dict):
    def items(self):
        try:
            yield 'a', 'x' * (2 << 20)
        finally:
            raise KeyError('mine')
result = Rows(a=1)
"""
        )
        self.assertEqual((run.outcome, run.report["limit"]), ("raised", "report"), run.report)

    def test_what_a_script_counts_as_has_no_weight(self) -> None:
        """The budget of a conversion stays a number of the guard's."""
        run = self.run_script(
            """
import pandas
class Count(int):
    def __mul__(self, other): return self
    def __gt__(self, other): return True
    def __rsub__(self, other): return self
    def __lt__(self, other): return False
class Frame(pandas.DataFrame):
    @property
    def shape(self):
        return (Count(1), Count(0))
result = [Frame({'a': [1]}), 'x' * (1 << 19), 'y' * (1 << 19), 'z' * (1 << 19)]
"""
        )
        self.assertEqual((run.outcome, run.report["limit"]), ("raised", "report"), run.report)


class TemporaryFileTest(Case):
    def test_what_cannot_be_opened_closes_no_others_file(self) -> None:
        for call in ("'w+', encoding='unknown'", "'w+', buffering=0", "'nonsense'", "'w+b', encoding='utf-8'"):
            for kind in ("NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile"):
                # Encodings are looked up when the descriptor is a file's already: it is closed with that file, and
                # a second time by whoever believes it to be open. Meanwhile another has the number.
                arguments = f"0, {call}" if kind == "SpooledTemporaryFile" else call
                self.prints(
                    f"""
import os, tempfile, threading
lost = []
on = True
def others():
    while on:
        with open(OUTPUT / f'{{threading.get_ident()}}', 'w') as file:
            try:
                for _ in range(3):
                    file.write('x')
                    file.flush()
            except OSError as error:
                lost.append(error)
threads = [threading.Thread(target=others) for _ in range(3)]
for each in threads: each.start()
for _ in range(200):
    try:
        tempfile.{kind}({arguments})
    except (LookupError, ValueError):
        pass
on = False
for each in threads: each.join()
print(lost[:1], [each for each in os.listdir(tempfile.gettempdir()) if each.startswith('tmp')])
""",
                    "[] []\n",
                )


class SignatureTest(Case):
    def test_a_librarys_defaults_are_no_objects(self) -> None:
        self.prints(
            """
import inspect, json, functools, pandas
class Asked:
    def __getattr__(self, name):
        if name == '__wrapped__': return pandas.read_csv
        raise AttributeError(name)
    def __call__(self): pass
class Meta(type):
    def __getattr__(cls, name):
        if name == '__wrapped__': return pandas.read_csv
        raise AttributeError(name)
class Made(metaclass=Meta):
    def __init__(self): pass
def plain(a=1): pass
for each in (Asked(), Made, functools.partial(Asked())):
    try:
        shown = inspect.signature(each)
    except (TypeError, ValueError) as error:
        print('refused')
        continue
    held = [p.default for p in shown.parameters.values() if p.default is not inspect.Parameter.empty]
    print([each for each in held if type(each).__name__ != 'Shown' and type(each) not in (int, str, bool, type(None), bytes, float)])
""",
            "[]\n[]\n[]\n",
        )

    def test_a_kind_out_of_range(self) -> None:
        self.prints(
            """
import inspect
for kind in (17, -1, 5):
    try:
        inspect.Parameter('a', kind)
    except ValueError as error:
        print(error)
p = inspect.Parameter('a', inspect.Parameter.KEYWORD_ONLY)
p.kind = 17
print(str(p), p.kind)
""",
            "17 is not a valid Parameter.kind\n-1 is not a valid Parameter.kind\n5 is not a valid Parameter.kind\na 17\n",
        )


class RecursionTest(Case):
    DEEP = {
        "functools.reduce": "def f(a, b): return functools.reduce(f, [1, 2])\nf(1, 2)",
        "sorted": "def f(a): return sorted([1, 2], key=f)\nf(1)",
        "max": "def f(a): return max([1, 2], key=f)\nf(1)",
        "map": "def f(a): return list(map(f, [1, 2]))\nf(1)",
        "partial": "def f(): return functools.partial(f)()\nf()",
        "repr": "class A:\n    def __repr__(self): return repr([self])\nrepr(A())",
        "str": "class A:\n    def __str__(self): return f'{self}'\nstr(A())",
        "eq": "class A:\n    def __eq__(self, o): return [self] == [A()]\nA() == 1",
        "hash": "class A:\n    def __hash__(self): return hash((self,))\nhash(A())",
        "getattr": "class A:\n    def __getattr__(self, n): return getattr(self, n + 'a')\nA().b",
        "getitem": "class A:\n    def __getitem__(self, n): return operator.getitem(self, n)\nA()[1]",
        "json dumps": "class A: pass\ndef f(a): return json.dumps(a, default=f)\nf(A())",
        "json nested": "a = []\nfor _ in range(200_000): a = [a]\njson.dumps(a)",
        "json loads": "json.loads('[' * 200_000)",
        "json hook": "def f(d): return json.loads('{}', object_hook=f)\nf({})",
        "deepcopy": "a = []\nfor _ in range(200_000): a = [a]\ncopy.deepcopy(a)",
        "repr of lists": "a = []\nfor _ in range(200_000): a = [a]\nrepr(a)",
        "compared lists": "a, b = [], []\nfor _ in range(200_000): a, b = [a], [b]\na == b",
        "re.sub": "def f(m): return re.sub('a', f, 'a')\nf(1)",
        "a class's call": "class A:\n    def __init__(self): A()\nA()",
        "dict with a key": "class A:\n    def __hash__(self): return {self: 1}\nhash(A())",
        "iter": "class A:\n    def __iter__(self): return iter(list(self))\nlist(A())",
        "lru_cache": "@functools.lru_cache(None)\ndef f(n): return f(n + 1)\nf(1)",
        "property": "class A:\n    @property\n    def a(self): return operator.attrgetter('a')(self)\nA().a",
        "pandas apply": "s = pandas.Series([1])\ndef f(x): return s.apply(f)\nf(1)",
        "numpy vectorize": "def f(x): return numpy.vectorize(f)([1])\nf(1)",
        "apply_along_axis": "def f(x): return numpy.apply_along_axis(f, 0, [1])\nf(1)",
        "generators": "def g():\n    yield from g()\nlist(g())",
        "nested generators": "def g(): return sum(x for x in [g()])\ng()",
        "chain": "x = iter([])\nfor _ in range(200_000): x = itertools.chain(x)\nlist(x)",
        "nested partials": "x = abs\nfor _ in range(200_000): x = functools.partial(x)\nx(1)",
        "contextlib": "@contextlib.contextmanager\ndef f():\n    with f(): yield\nwith f(): pass",
    }

    def test_deep_calls_end_in_an_exception(self) -> None:
        """Where each call takes much of the process's stack it would be used up by twice as many, which ends the process."""
        script = "import functools, operator, json, copy, re, itertools, contextlib, pandas, numpy, threading\n"
        for number, (name, code) in enumerate(self.DEEP.items()):
            body = "".join(f"        {line}\n" for line in code.splitlines())
            script += f"def go{number}():\n    try:\n{body}    except RecursionError: pass\n    done.append({name!r})\n"
        every = ", ".join(f"go{number}" for number in range(len(self.DEEP)))
        script += f"done = []\nfor go in ({every}):\n"
        for way in ("go()", "t = threading.Thread(target=go); t.start(); t.join()"):
            with self.subTest(way):
                run = self.run_script(f"{script}    {way}\nresult = done")
                self.assertEqual((run.outcome, run.report.get("result")), ("completed", list(self.DEEP)), run.stderr)

    def test_a_higher_limit_is_kept_up_to_a_bound(self) -> None:
        run = self.prints(
            """
import sys
def f(n): return f(n - 1) if n else 'deep'
before = sys.getrecursionlimit()
sys.setrecursionlimit(10)
print(before, sys.getrecursionlimit())
sys.setrecursionlimit(8_000)
print(sys.getrecursionlimit(), f(5_000))
sys.setrecursionlimit(10**6)
sys.setrecursionlimit(10**6)
print(sys.getrecursionlimit())
try:
    f(10_000)
except RecursionError: print('ended')
""",
            "1000 1000\n8000 deep\n10000\nended\n",
        )
        self.assertEqual(run.stderr.count("RuntimeWarning"), 1, run.stderr)


class PathTest(Case):
    def test_dots_do_not_tell_of_what_is_outside(self) -> None:
        # /usr/lib/python3 is a directory of the image, /lib a link in it: ".." behind each leads elsewhere.
        (self.host.directory / "there").mkdir()
        (self.host.directory / "link").symlink_to(self.host.directory / "bundle")
        (self.host.bundle / "below").mkdir()
        (self.host.bundle / "a").write_text("a")
        base = str(self.host.directory)
        outcomes = []
        for name in ("there", "link", "missing"):
            run = self.run_script(
                f"""
import os, glob, pathlib, shutil
found = []
def ask(function, *args):
    try:
        found.append(repr(function(*args)))
    except OSError as error:
        found.append(type(error).__name__ + str(error.errno))
for end in ('/../bundle', '/../bundle/a', '/../a', '/a', '/below/../a', '/../output/../bundle/a'):
    path = {base!r} + '/{name}' + end
    for function in (os.path.exists, os.path.lexists, os.path.isfile, os.path.isdir, os.path.islink, os.path.getsize,
                     os.listdir, lambda path: os.stat(path).st_size, glob.glob, os.path.realpath):
        ask(function, path)
    ask(os.path.samefile, path, DATA)
    ask(os.access, path, 4)
    try:
        open(path).close()
        found.append('opened')
    except OSError as error:
        found.append(type(error).__name__)
    for function in (os.unlink, os.rmdir, os.mkdir, os.rmdir):
        ask(function, {base!r} + '/{name}/../output/x')
result = [each.replace('{name}', 'NAME') for each in found]
"""
            )
            self.assertEqual(run.outcome, "completed", run.report)
            outcomes.append(run.report["result"])
        for other in outcomes[1:]:
            self.assertEqual([pair for pair in zip(outcomes[0], other, strict=True) if pair[0] != pair[1]], [])


class SmallTest(Case):
    def test_a_class_that_is_made_is_the_scripts(self) -> None:
        self.prints(
            "A = type('A', (), {})\nprint(A.__module__, A)\nclass M(type): pass\nprint(M('B', (), {}).__module__)\n"
            "import enum, dataclasses\nprint(enum.Enum('C', 'x').__module__, dataclasses.make_dataclass('D', ['a']).__module__)",
            "__main__ <class '__main__.A'>\n__main__\n__main__ __main__\n",
        )

    def test_random_bytes_are_bounded(self) -> None:
        self.prints(
            """
import os
class Size(int):
    def __le__(self, other): return True
    def __ge__(self, other): return True
try:
    print(len(os.urandom(Size(1 << 24))))
except ValueError as error:
    print('refused')
""",
            "refused\n",
        )

    def test_a_threads_exception_shows_the_scripts_lines_only(self) -> None:
        run = self.prints(
            """
import threading, os
def f(): os.mkdir('/etc/x')
t = threading.Thread(target=f, name='t1')
t.start()
t.join()
""",
            "",
        )
        self.assertIn('File "script.py", line 3, in f', run.stderr)
        self.assertIn("PermissionError", run.stderr)
        self.assertIn("t1", run.stderr)
        run = self.prints("import os\ndef g():\n    try: yield\n    finally: os.mkdir('/etc/x')\na = g()\nnext(a)\ndel a", "")
        self.assertIn('Exception ignored:\nTraceback (most recent call last):\n  File "script.py"', run.stderr)
        self.assertIn("line 4, in g", run.stderr)
        self.assertNotIn("hotcell_guard", run.stderr)
        for private in ("hotcell_guard", "_places", "/usr/lib", "threading.py"):
            self.assertNotIn(private, run.stderr)

    def test_no_library_tells_of_the_guards_frames(self) -> None:
        for script in (
            "import logging, os\ntry: os.mkdir('/etc/x')\nexcept OSError: logging.exception('words', stack_info=True)",
            "import logging, os\nclass F(logging.Formatter):\n    def format(self, r): os.mkdir('/etc/x')\nh = logging.StreamHandler()\n"
            "h.setFormatter(F())\nlogging.getLogger('q').addHandler(h)\nlogging.getLogger('q').warning('a')",
            "import os\nfrom concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(1) as p:\n"
            "    p.submit(abs, 1).add_done_callback(lambda f: os.mkdir('/etc/x'))",
        ):
            run = self.host.run(script, imports=["logging", "os", "concurrent.futures"])
            with self.subTest(script):
                self.assertEqual((run.outcome, run.error), ("completed", ""))
                self.assertIn("PermissionError", run.stderr)
                self.assertIn('File "script.py"', run.stderr)
                for private in ("hotcell_guard", "_places", "/usr/lib"):
                    self.assertNotIn(private, run.stderr)

    def test_a_loops_setters_write_into_loops_only(self) -> None:
        self.prints(
            """
import asyncio, json
loop = asyncio.new_event_loop()
class Mine: pass
kind = type(loop)
for name, value in (('set_exception_handler', 1), ('set_task_factory', 1), ('set_default_executor', 1), ('stop', None), ('close', None)):
    target = json.JSONEncoder() if name != 'x' else None
    try:
        getattr(kind, name)(*([target, value] if value else [target]))
        print(name, vars(target))
    except (TypeError, AttributeError) as error:
        print(name, 'refused')
""",
            "".join(f"{name} refused\n" for name in (
                "set_exception_handler", "set_task_factory", "set_default_executor", "stop", "close"
            )),
        )


if __name__ == "__main__":
    unittest.main()
