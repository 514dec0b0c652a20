"""The guard's own os, sys, glob, shutil, tempfile and inspect: they work, and stay inside the zones."""

from __future__ import annotations

import functools
import os
import unittest
from typing import Any

from hotcell_guard.granting import _inspect, _own
from hotcell_guard.granting._attributes import Attributes
from hotcell_guard.vetting import _rules
from tests.host import Host, Run

IMPORTS = "os os.path signal sys glob shutil tempfile inspect functools io json pathlib contextlib pandas numpy dataclasses enum".split()

BY_NAME = [*IMPORTS, "builtins", "doctest", "getpass", "math", "timeit", "tracemalloc"]


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)
        (self.host.bundle / "visits.csv").write_text("id,age\n1,40\n2,50\n")
        (self.host.directory / "secret").write_text("secret")

    def run_script(self, code: str, **changes: Any) -> Run:
        run = self.host.run(code, **{"imports": IMPORTS, **changes})
        self.assertEqual(run.raw_stderr, b"")
        return run

    def prints(self, code: str, text: str, **changes: Any) -> None:
        run = self.run_script(code, **changes)
        self.assertEqual((run.outcome, run.error), ("completed", ""), run.report)
        self.assertEqual(run.stdout, text)

    def refused(self, *statements: tuple[str, str]) -> None:
        """Each statement must raise the error that stands with it, and change nothing outside."""
        lines = ["import os, sys, glob, shutil, tempfile, inspect, pathlib", f"SECRET = {str(self.host.directory / 'secret')!r}"]
        for statement, error in statements:
            lines += ["try:", f"    {statement}", "except Exception as error:"]
            lines += [f"    if type(error).__name__ != {error!r}: print({statement!r}, repr(error))"]
            lines += ["else:", f"    print({statement!r}, 'ESCAPED')"]
        self.prints("\n".join(lines), "")
        self.assertEqual((self.host.directory / "secret").read_text(), "secret")
        self.assertEqual(sorted(os.listdir(self.host.directory)), ["bundle", "output", "scratch", "secret"])
        self.assertEqual(os.listdir(self.host.bundle), ["visits.csv"])


class OsTest(Case):
    def test_paths_and_directories(self) -> None:
        self.prints(
            """
import os
out = os.path.join(OUTPUT, "tables", "deep")
os.makedirs(out, exist_ok=True)
os.makedirs(out, exist_ok=True)
with open(os.path.join(out, "a.csv"), "w") as file:
    file.write("abc")
print(os.path.exists(out), os.path.isdir(out), os.path.isfile(os.path.join(out, "a.csv")))
print(os.listdir(OUTPUT), os.listdir(), os.getcwd() == str(OUTPUT))
print([(entry.name, entry.is_dir(), os.fspath(entry) == os.path.join(out, entry.name)) for entry in os.scandir(out)])
with os.scandir("tables") as entries:
    print([entry.path for entry in entries])
print([(os.path.relpath(top, OUTPUT), dirs, files) for top, dirs, files in os.walk(OUTPUT)])
print([(os.path.relpath(top, OUTPUT), dirs, files) for top, dirs, files in os.walk(OUTPUT, topdown=False)])
print(os.path.getsize(out + "/a.csv"), os.stat(out + "/a.csv").st_size, os.path.getmtime(out) > 0)
os.rename(out + "/a.csv", "b.csv")
os.replace("b.csv", "c.csv")
os.remove("c.csv")
os.rmdir(out)
os.mkdir("x")
print(sorted(os.listdir(".")), os.access("x", os.W_OK), os.access(DATA, os.W_OK), os.access(DATA, os.R_OK))
print(os.sep, repr(os.linesep), os.name, os.environ.get("HOME"), os.getenv("X", "d"), dict(os.environ), os.cpu_count() > 0)
os.environ["OMP_NUM_THREADS"] = "1"
print(os.getenv("OMP_NUM_THREADS"), os.path.expandvars("$OMP_NUM_THREADS/${NO}"), len(os.urandom(3)))
with open("x/y", "w+") as file:
    print(file.seek(0, os.SEEK_END) or file.write("end"), os.SEEK_SET, os.SEEK_CUR)
print(os.listdir(DATA), os.path.splitext("a.b"), os.path.basename(pathlib_free("a/b")))
""".replace("pathlib_free(", "(") ,
            """True True True
['tables'] ['tables'] True
[('a.csv', False, True)]
['tables/deep']
[('.', ['tables'], []), ('tables', ['deep'], []), ('tables/deep', [], ['a.csv'])]
[('tables/deep', [], ['a.csv']), ('tables', ['deep'], []), ('.', ['tables'], [])]
3 3 True
['tables', 'x'] True False True
/ '\\n' posix None d {} True
1 1/${NO} 3
3 0 1
['visits.csv'] ('a', '.b') b
""",
        )

    def test_nothing_outside_is_seen_or_changed(self) -> None:
        statements = (
            "os.listdir('/')",
            "os.listdir('/etc')",
            "os.listdir(OUTPUT / '..')",
            "os.scandir('..')",
            "os.listdir('a/../../')",
            "os.stat('/etc/passwd')",
            "os.stat(SECRET)",
            "os.path.getsize(SECRET)",
            "os.remove(SECRET)",
            "os.unlink('../secret')",
            "os.rename(SECRET, 'a')",
            "open('a', 'w').close(); os.rename('a', '../b')",
            "os.replace(SECRET, 'a')",
            "os.mkdir('../x')",
            "os.makedirs('../x/y', exist_ok=True)",
            "os.makedirs(DATA / 'x')",
            "os.rmdir('..')",
            "os.rename(DATA / 'visits.csv', 'a')",
            "os.remove(DATA / 'visits.csv')",
            "os.rename(OUTPUT, '/tmp/x')",
            "os.rmdir(OUTPUT)",
            "shutil.rmtree(OUTPUT)",
            "shutil.rmtree(DATA)",
            "shutil.rmtree('..')",
            "shutil.rmtree('x/../..')",
            "shutil.copy(SECRET, OUTPUT)",
            "shutil.copy(DATA / 'visits.csv', '../x')",
            "shutil.copyfile('../secret', 'x')",
            "shutil.move(SECRET, 'x')",
            "shutil.move(DATA / 'visits.csv', 'x')",
            "shutil.copytree(OUTPUT / '..', 'x')",
            "shutil.make_archive('../x', 'zip', '.')",
            "shutil.make_archive('x', 'zip', '/etc')",
            "shutil.make_archive('x', 'gztar', OUTPUT, '..')",
            "shutil.make_archive('x', 'tar', base_dir='/etc')",
            "shutil.make_archive(DATA / 'x', 'zip', '.')",
            "shutil.unpack_archive('../secret', 'x', 'zip')",
            "os.mkdir('aa'); open('aa/b', 'w').close(); shutil.make_archive('z', 'zip', base_dir='aa'); "
            "text = open('z.zip', 'rb').read().replace(b'aa/b', b'../b'); open('y.zip', 'wb').write(text) and None; "
            "shutil.unpack_archive('y.zip', '.')",
            "tempfile.mkdtemp(dir='..')",
            "tempfile.mkstemp(dir='/')",
            "tempfile.NamedTemporaryFile(dir='..')",
            "tempfile.TemporaryDirectory(dir=DATA)",
            "open('x/../../secret')",
        )
        self.refused(*((each, "PermissionError") for each in statements))

    def test_what_is_outside_does_not_exist(self) -> None:
        self.prints(
            f"""
import os, glob
secret = {str(self.host.directory / "secret")!r}
print(os.path.exists(secret), os.path.isfile("/etc/passwd"), os.path.isdir("/"), os.path.lexists(".."), os.access(secret, 4))
print(glob.glob("/etc/*"), glob.glob("../*"), glob.glob("/**", recursive=True), glob.glob("*", root_dir="/"), glob.glob(secret))
print(list(os.walk("/")), list(os.walk("..")), os.path.exists(""), os.path.islink("/proc/self/exe"))
print(os.path.realpath("/proc/self/exe"))
""",
            "False False False False False\n[] [] [] [] []\n[] [] False False\n/proc/self/exe\n",
        )

    def test_odd_paths_are_refused(self) -> None:
        self.refused(
            ("os.listdir(0)", "TypeError"),
            ("os.listdir(True)", "TypeError"),
            ("os.listdir(b'/')", "TypeError"),
            ("os.stat(1)", "TypeError"),
            ("os.remove(None)", "TypeError"),
            ("os.remove('a\\0b')", "ValueError"),
            ("os.path.exists('a\\0b')", "ValueError"),
            ("os.listdir('')", "PermissionError"),
            ("os.mkdir('x', dir_fd=3)", "TypeError"),
            ("os.remove('x', dir_fd=3)", "TypeError"),
            ("os.rename('x', 'y', src_dir_fd=3)", "TypeError"),
            ("os.stat('x', dir_fd=3)", "TypeError"),
            ("shutil.rmtree('x', dir_fd=3)", "TypeError"),
            ("os.close(3)", "OSError"),
            ("os.close(0)", "OSError"),
            ("os.fdopen(3)", "OSError"),
            ("os.fdopen(True)", "OSError"),
            ("tempfile.mkstemp(prefix='../')", "ValueError"),
            ("tempfile.mkdtemp(suffix='/../../x')", "ValueError"),
            ("tempfile.mkdtemp(prefix=b'a')", "TypeError"),
        )

    def test_a_path_that_lies_is_asked_once(self) -> None:
        self.prints(
            f"""
import os, pathlib, shutil
class Liar(pathlib.PurePosixPath):
    def __init__(self, *answers):
        super().__init__("a")
        self.answers = list(answers)
    def __str__(self):
        return self.answers.pop(0)
class Text(str):
    def __str__(self): return "a"
    def __eq__(self, other): return True
    def startswith(self, *args): return True
    def split(self, *args): return ["a"]
    __hash__ = str.__hash__
secret = {str(self.host.directory / "secret")!r}
open("a", "w").close()
for function in (os.stat, os.remove, os.path.getsize, os.listdir, lambda path: shutil.copy(path, "b")):
    for path in (Text(secret), Liar(Text(secret)), Liar(secret, "a"), Liar(b"a"), Liar(1)):
        try:
            print("ESCAPED", function(path))
        except (PermissionError, TypeError):
            pass
os.remove(Liar("a", secret))
print(os.listdir())
""",
            "[]\n",
        )

    def test_links_are_not_followed_out(self) -> None:
        """None can be made in a run; these were there before."""
        os.symlink(self.host.directory / "secret", self.host.output / "file")
        os.symlink(self.host.directory, self.host.output / "directory")
        statements = (
            "os.stat('file')",
            "os.path.getsize('file')",
            "os.listdir('directory')",
            "os.remove('directory/secret')",
            "os.rename('directory/secret', 'a')",
            "shutil.copy('file', 'a')",
            "open('a', 'w').close(); shutil.copy('a', 'file')",
            "shutil.rmtree('directory')",
            "os.mkdir('directory/x')",
            "os.rmdir('directory/scratch')",
        )
        self.refused(*((each, "NotADirectoryError" if "rmtree" in each else "PermissionError") for each in statements))

    def test_a_link_in_a_tree_is_removed_and_not_followed(self) -> None:
        (self.host.output / "tree").mkdir()
        os.symlink(self.host.directory, self.host.output / "tree" / "link")
        self.prints("import os, shutil\nshutil.rmtree('tree')\nprint(os.listdir())", "[]\n")
        self.assertTrue((self.host.directory / "secret").exists())

    def test_walk_goes_nowhere_else_when_its_names_are_changed(self) -> None:
        self.prints(
            """
import os
os.makedirs("a/b")
seen = []
for top, dirs, files in os.walk("."):
    dirs[:] = ["..", "../..", "/", "/etc", *dirs]
    seen.append(top)
    if len(seen) > 20: break
print(all(not os.path.abspath(top).startswith("/etc") and os.path.abspath(top).startswith(str(OUTPUT)) for top in seen))
""",
            "True\n",
        )


class OthersTest(Case):
    def test_signals_are_the_scripts_own_calls(self) -> None:
        self.prints(
            """
import os, signal
def handler(number, frame): print("got", signal.Signals(number).name, frame)
print(signal.signal(signal.SIGINT, handler) is signal.default_int_handler, signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)
signal.raise_signal(signal.SIGINT)
signal.signal(signal.SIGINT, signal.SIG_DFL)
try: signal.signal(signal.SIGKILL, handler)
except OSError as error: print(error.errno)
os.chdir(os.getcwd())
try: os.chdir("..")
except PermissionError: print("stays")
""",
            "True True\ngot SIGINT None\n22\nstays\n",
        )

    def test_sys(self) -> None:
        self.prints(
            """
import sys, io, contextlib
print(sys.argv, sys.version_info >= (3, 13), sys.platform, sys.maxsize > 2**60, sys.float_info.max > 1, sys.byteorder)
sys.stdout.write("a\\n")
print("b", file=sys.stdout)
buffer = io.StringIO()
with contextlib.redirect_stdout(buffer):
    sys.stdout.write("hidden")
print(buffer.getvalue(), sys.getsizeof(1) > 8, sys.getrecursionlimit() >= 1000, sys.path, sys.stdout.encoding)
try:
    1 / 0
except ZeroDivisionError:
    print(sys.exc_info()[0].__name__)
from sys import stderr, exit
print("e", file=stderr)
sys.setrecursionlimit(10**6)
print(sys.getrecursionlimit())
sys.exit()
""",
            "['script.py'] True linux True True little\na\nb\nhidden True True [] utf-8\nZeroDivisionError\n10000\n",
        )

    def test_a_script_finds_its_own_module_and_those_that_it_has_imported(self) -> None:
        self.prints(
            """
import sys, json, inspect, timeit
def f(x): return x + 1
_hidden = 1
here = sys.modules[__name__]
print(here.f(1), getattr(here, "g", None), hasattr(here, "later"), "json" in sys.modules, "this" in sys.modules)
later = 2
print(here.later, vars(here)["f"] is f, "f" in dir(here), sys.modules["json"] is json, sys.modules.get("subprocess"))
print([name for name, each in inspect.getmembers(here, inspect.isfunction)])
print(timeit.timeit("f(1)", "from __main__ import f", number=2) > 0)
from __main__ import f as again
print(again is f)
for code in ("from __main__ import absent", "import __main__"):
    try: exec(code)
    except (ImportError, PermissionError) as error: print(type(error).__name__)
""",
            "2 None False True False\n2 True True True None\n['f']\nTrue\nTrue\nImportError\nPermissionError\n",
            imports=BY_NAME,
        )

    def test_what_is_found_of_modules_leads_nowhere(self) -> None:
        talk = self.host.converse(mode="session", imports=BY_NAME)
        self.assertEqual(talk.step("import sys, pandas as pd").outcome, "completed")
        for code in (
            "sys.modules['os'] = 1",
            "del sys.modules['sys']",
            "sys.modules.pop('sys')",
            "sys.modules['posix']",
            "sys.modules['subprocess']",
            "sys.modules['builtins'].__import__",
            "sys.modules['__main__'].__builtins__",
            "sys.modules['__main__'].__getattr__",
            "getattr(sys.modules['__main__'], '(checked)')",
            "vars(sys.modules['__main__'])['__builtins__']",
            "vars(sys.modules['__main__'])['__getattr__']",
            "sys.modules['__main__'].x = 1",
            "from __main__ import __builtins__",
            "from __main__ import __getattr__",
            "from __main__ import *",
            "__import__('posix')",
            "__import__('subprocess')",
            "__import__('os', None, None, ['system']).system",
            "__import__('posix', fromlist=[])",
            "__import__('posix', None, None, [], 0)",
            "__import__('__main__')",
            "__import__('', {'__package__': 'os'}, None, ['path'], 1)",
            "__import__.__globals__",
            "__import__.__closure__",
            "list(map(__import__, ['posix']))",
            "pd.eval('__import__(\"os\")')",
            "pd.DataFrame({'a': [1]}).query('@__import__(\"posix\")')",
        ):
            with self.subTest(code):
                run = talk.step(f"{code}\nprint('ESCAPED')")
                self.assertEqual((run.outcome in ("raised", "rejected"), run.stdout), (True, ""), run.report)

    def test_an_import_by_a_name_is_one_of_the_policys(self) -> None:
        self.prints(
            """
import os, getpass
print(__import__("math").sqrt(4), __import__("os.path").path.join("a", "b"), __import__("os.path", fromlist=["join"]).join("a", "b"))
for name in ("json", "no_such_module", "subprocess"):
    try: print(__import__(name).__name__)
    except ImportError: print("none")
print(eval("__import__('math').pi > 3"), getpass.getuser())
try: getpass.getpass()
except EOFError as error: print(error)
""",
            "2.0 a/b a/b\njson\nnone\nnone\nTrue user\nthere is nobody to ask; put the value into the script\n",
            imports=BY_NAME,
        )

    def test_examples_in_docstrings_are_run_as_checked_text(self) -> None:
        self.prints(
            """
'''The script's own.

>>> add(2, 2)
4
'''
import doctest
def add(a, b):
    \"\"\"
    >>> x = add(1, 2); x
    3
    >>> add(1, "a")
    Traceback (most recent call last):
        ...
    TypeError: unsupported operand type(s) for +: 'int' and 'str'
    >>> [add(i, 0.5)
    ...  for i in range(20)]  # doctest: +ELLIPSIS
    [0.5, 1.5, ..., 19.5]
    \"\"\"
    return a + b
class Box:
    @staticmethod
    def wrong():
        \"\"\"
        >>> Box.wrong()
        2
        >>> import posix
        >>> open("/etc/passwd")  # doctest: +SKIP
        >>> add.__globals__
        \"\"\"
        return 1
print(doctest.testmod())
def later():
    '>>> 1 + 1\\n2'
doctest.run_docstring_examples(later, globals(), verbose=True, name="later")
doctest.run_docstring_examples(doctest.testmod, {})
""",
            """**********************************************************************
File "script.py", line ?, in __main__.Box.wrong
Failed example:
    Box.wrong()
Expected:
    2
Got:
    1
**********************************************************************
File "script.py", line ?, in __main__.Box.wrong
Failed example:
    import posix
Exception raised:
    Traceback (most recent call last):
        ...
    PermissionError: 'posix' may not be imported; no policy can allow it; write the script without it
**********************************************************************
File "script.py", line ?, in __main__.Box.wrong
Failed example:
    add.__globals__
Exception raised:
    Traceback (most recent call last):
        ...
    PermissionError: the special attribute '__globals__' is not available; name the variable or call the function itself
**********************************************************************
1 item had failures:
   3 of   3 in __main__.Box.wrong
***Test Failed*** 3 failures.
TestResults(failed=3, attempted=7)
Finding tests in later
Trying:
    1 + 1
Expecting:
    2
ok
""",
            imports=BY_NAME,
        )

    def test_where_no_text_is_run_there_are_no_examples(self) -> None:
        run = self.run_script("import doctest\ndoctest.testmod()", imports=[*IMPORTS, "doctest"])
        self.assertIn("no text is run under this policy", run.error)

    def test_what_is_allocated_is_told_in_numbers(self) -> None:
        self.prints(
            """
import tracemalloc
tracemalloc.start(10**6)
first = tracemalloc.take_snapshot()
held = [bytes(1000) for _ in range(500)]
now, peak = tracemalloc.get_traced_memory()
second = tracemalloc.take_snapshot()
top = second.compare_to(first, "lineno")[0]
place = top.traceback[0]
print(peak >= now > 500_000, tracemalloc.get_traceback_limit(), place.filename, place.lineno, top.size_diff > 500_000)
print(str(top).startswith("script.py:5: size="), second.statistics("filename")[0].count >= 500)
mine = second.filter_traces((tracemalloc.Filter(True, "script.py"),))
print({each.traceback[-1].filename for each in mine.statistics("traceback")} <= {"script.py"}, tracemalloc.is_tracing())
tracemalloc.stop()
try: tracemalloc.take_snapshot()
except RuntimeError: print(tracemalloc.get_traced_memory())
""",
            "True 16 script.py 5 True\nTrue True\nTrue True\n(0, 0)\n",
            imports=BY_NAME,
        )

    def test_how_warnings_and_the_last_exception_are_shown_is_the_scripts_to_say(self) -> None:
        code = """
import sys, warnings
def show(message, category, filename, lineno, file=None, line=None): print(category.__name__, message, filename)
before = warnings.showwarning
warnings.showwarning = show
warnings.warn("first")
warnings.showwarning = before
warnings.formatwarning = lambda message, *rest, **named: f"<{message}>"
print(warnings.formatwarning("a", UserWarning, "f", 1))
for code in ("warnings.showwarning = 1", "warnings.warn = print", "warnings.sys = 1", "json.dumps = print", "json.showwarning = print"):
    try: exec(code)
    except (TypeError, AttributeError, PermissionError) as error: print(type(error).__name__)
sys.excepthook = lambda kind, value, trace: print("told", kind.__name__, value, trace.tb_lineno)
print(len(str(10 ** 9000)) if sys.set_int_max_str_digits(0) is None else "")
1 / 0
"""
        run = self.run_script(f"import json{code}", imports=[*BY_NAME, "warnings"])
        lines = "TypeError AttributeError PermissionError AttributeError AttributeError".replace(" ", "\n")
        self.assertEqual(run.stdout, f"UserWarning first script.py\n<a>\n{lines}\n9001\ntold ZeroDivisionError division by zero 15\n")
        self.assertIn("ZeroDivisionError", run.error)
        run = self.run_script("import sys\nsys.excepthook = lambda *a: undefined\nraise ValueError('first')")
        self.assertIn("ValueError", run.error)

    def test_a_hook_of_subclasses_is_asked_about_what_the_script_knows(self) -> None:
        self.prints(
            """
import abc, collections.abc, json, io, pandas as pd
asked = []
class Speaks(abc.ABC):
    @classmethod
    def __subclasshook__(cls, other):
        asked.append(other)
        return any("speak" in vars(each) for each in other.__mro__) or NotImplemented
class All(collections.abc.Sequence):
    @classmethod
    def __subclasshook__(cls, other):
        asked.append(other)
        return NotImplemented
class Dog:
    def speak(self): ...
print(isinstance(Dog(), Speaks), issubclass(str, Speaks), issubclass(json.JSONEncoder, Speaks), issubclass(pd.DataFrame, Speaks))
for each in (pd.DataFrame({"a": [[1], (2,)]}), io.StringIO(), (lambda: 1), iter([]), type, print):
    isinstance(each, collections.abc.Sequence)
pd.DataFrame({"a": [1]}).to_json(), pd.Series([[1]]).explode(), isinstance(pd, collections.abc.Sequence)
print({each.__name__ for each in asked} <= {"Dog", "str", "list", "dict", "tuple", "int", "range", "set", "frozenset", "bool", "float", "bytes", "slice"})
print("upper" in str.__dict__, "__subclasses__" in object.__dict__, "format" in str.__dict__)
try: getattr(Speaks, '__subclass' + 'hook__')
except AttributeError: print("not read")
""",
            "True False False False\nTrue\nTrue False False\nnot read\n",
            imports=[*BY_NAME, "abc", "collections.abc"],
        )
        for value in ("lambda cls, other: True", "staticmethod(print)", "1"):
            run = self.run_script(f"import abc\nclass A(abc.ABC): __subclasshook__ = {value}", imports=[*BY_NAME, "abc"])
            self.assertIn(run.outcome, ("raised", "rejected"))

    def test_an_exit_code_is_an_error(self) -> None:
        self.assertIn("SystemExit", self.run_script("import sys\nsys.exit('no data')").error)

    def test_glob(self) -> None:
        self.prints(
            """
import glob, os
os.makedirs("a/b")
for name in ("x.csv", "a/y.csv", "a/b/z.csv", ".hidden.csv", "a/n.txt"):
    open(name, "w").close()
print(glob.glob("*.csv"), glob.glob("a/*"), glob.glob("**/*.csv", recursive=True), glob.glob("*/"))
print(glob.glob("*.csv", root_dir="a"), sorted(glob.iglob("?.csv")), glob.glob("nothing*"), glob.glob("a/y.csv"))
print([os.path.basename(each) for each in glob.glob(os.path.join(DATA, "*.csv"))], glob.glob("[a-y].csv"), glob.glob(".*.csv"))
print(glob.glob(str(DATA / "*"))[0] == str(DATA / "visits.csv"), glob.glob("**", recursive=True))
""",
            """['x.csv'] ['a/b', 'a/n.txt', 'a/y.csv'] ['a/b/z.csv', 'a/y.csv', 'x.csv'] ['a/']
['y.csv'] ['x.csv'] [] ['a/y.csv']
['visits.csv'] ['x.csv'] ['.hidden.csv']
True ['a', 'a/b', 'a/b/z.csv', 'a/n.txt', 'a/y.csv', 'x.csv']
""",
        )

    def test_shutil(self) -> None:
        self.prints(
            """
import os, shutil
print(os.path.basename(shutil.copy(DATA / "visits.csv", OUTPUT)), shutil.copyfile("visits.csv", "b.csv"), shutil.copy2("b.csv", "c.csv"))
os.mkdir("d")
print(shutil.move("c.csv", "d"), shutil.copytree("d", "e"), sorted(os.listdir()), os.listdir("e"))
print(shutil.copytree("d", "e", dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.csv")))
import tempfile
moved = shutil.move("d", tempfile.gettempdir())
print(os.listdir(moved))
shutil.move(moved, "f")
print(os.listdir("f"), os.path.exists(moved))
shutil.rmtree("e")
shutil.rmtree("missing", ignore_errors=True)
print(sorted(os.listdir()), shutil.get_terminal_size().columns)
try:
    shutil.copy("b.csv", "b.csv")
except shutil.SameFileError:
    print("same")
try:
    shutil.copyfile("missing", "g")
except FileNotFoundError:
    print("missing")
calls = []
shutil.rmtree("missing", onexc=lambda function, path, error: calls.append(type(error).__name__))
print(calls)
""",
            """visits.csv b.csv c.csv
d/c.csv e ['b.csv', 'd', 'e', 'visits.csv'] ['c.csv']
e
['c.csv']
['c.csv'] False
['b.csv', 'f', 'visits.csv'] 80
same
missing
['FileNotFoundError']
""",
        )

    def test_tempfile(self) -> None:
        self.prints(
            """
import os, tempfile, pandas as pd, json
with tempfile.TemporaryDirectory() as directory:
    path = os.path.join(directory, "a.csv")
    pd.DataFrame({"a": [1]}).to_csv(path, index=False)
    os.mkdir(os.path.join(directory, "sub"))
    print(pd.read_csv(path).a.sum(), directory.startswith(tempfile.gettempdir()))
print(os.path.exists(directory))
with tempfile.NamedTemporaryFile("w+", suffix=".json", delete=False) as file:
    json.dump({"a": 1}, file)
    file.flush()
    file.seek(0)
    print(json.load(file), file.name.endswith(".json"))
print(os.path.exists(file.name))
os.unlink(file.name)
with tempfile.NamedTemporaryFile() as file:
    file.write(b"abc")
    file.seek(0)
    print(list(file), os.path.exists(file.name))
print(os.path.exists(file.name), file.closed)
descriptor, path = tempfile.mkstemp(suffix=".txt", text=True)
with os.fdopen(descriptor, "w") as file:
    file.write("x")
print(open(path).read())
descriptor, path = tempfile.mkstemp()
os.close(descriptor)
try:
    os.close(descriptor)
except OSError:
    print("closed")
directory = tempfile.TemporaryDirectory(prefix="p")
directory.cleanup()
directory.cleanup()
with tempfile.TemporaryFile("w+") as file, tempfile.SpooledTemporaryFile(10, "w+") as other:
    file.write("1"); other.write("2")
    file.seek(0); other.seek(0)
    print(file.read(), other.read(), os.path.isdir(tempfile.mkdtemp()))
""",
            "1 True\nFalse\n{'a': 1} True\nTrue\n[b'abc'] True\nFalse True\nx\nclosed\n1 2 True\n",
        )

    def test_what_a_temporary_object_says_decides_nothing(self) -> None:
        for statement in (
            "d = tempfile.TemporaryDirectory(); d.name = str(OUTPUT / '..'); d.cleanup()",
            "d = tempfile.TemporaryDirectory(); d.name = str(OUTPUT); d.cleanup()",
            "f = tempfile.NamedTemporaryFile(); f.name = SECRET; f.close()",
            "type(tempfile.NamedTemporaryFile())(open('x', 'w'), SECRET, True).close()",
            "type(tempfile.TemporaryDirectory())(str(DATA), False).cleanup()",
            "open('x', 'w').close(); e = next(os.scandir()); type(e)('x', SECRET).stat()\nraise PermissionError",
        ):
            with self.subTest(statement):
                run = self.run_script(
                    f"import os, tempfile\nSECRET = {str(self.host.directory / 'secret')!r}\n{statement}"
                )
                self.assertEqual(run.outcome, "raised", run.report)
                self.assertTrue((self.host.directory / "secret").exists())
                self.assertTrue((self.host.bundle / "visits.csv").exists())

    def test_inspect(self) -> None:
        self.prints(
            """
import inspect, functools, dataclasses
def f(a, /, b: int = 1, *rest, c, d: "str" = "x", **more) -> float:
    '''Adds.

        And more.
    '''
signature = inspect.signature(f)
print(signature, list(signature.parameters), signature.parameters["b"].default, signature.parameters["c"].default is inspect.Parameter.empty)
print([p.kind.name for p in signature.parameters.values()], signature.return_annotation is float)
bound = signature.bind(1, c=2)
bound.apply_defaults()
print(bound.args, bound.kwargs, bound.arguments)
try:
    signature.bind()
except TypeError as error:
    print(error)
@dataclasses.dataclass
class P:
    x: int
    y: float = 2.0
    def area(self, k=3): return k
print(inspect.signature(P), inspect.signature(P(1).area), inspect.signature(functools.partial(f, 1)))
@functools.wraps(f)
def wrapper(*args): ...
print(inspect.signature(wrapper) == signature, inspect.getdoc(f), inspect.isfunction(f), inspect.isclass(P), inspect.ismethod(P(1).area))
print([name for name, value in inspect.getmembers(P(1)) if not name.startswith("_")], inspect.getfullargspec(f).args)
import pandas as pd
print(list(inspect.signature(pd.DataFrame.merge).parameters)[:3], inspect.signature(len), inspect.signature(lambda: 0))
""",
            """(a, /, b: int = 1, *rest, c, d: 'str' = 'x', **more) -> float ['a', 'b', 'rest', 'c', 'd', 'more'] 1 True
['POSITIONAL_ONLY', 'POSITIONAL_OR_KEYWORD', 'VAR_POSITIONAL', 'KEYWORD_ONLY', 'KEYWORD_ONLY', 'VAR_KEYWORD'] True
(1, 1) {'c': 2, 'd': 'x'} {'a': 1, 'b': 1, 'rest': (), 'c': 2, 'd': 'x', 'more': {}}
missing a required argument: 'a'
(x: int, y: float = 2.0) -> None (k=3) (b: int = 1, *rest, c, d: 'str' = 'x', **more) -> float
True Adds.

And more. True True True
['area', 'x', 'y'] ['a', 'b']
['self', 'right', 'how'] (obj, /) ()
""",
        )

    def test_a_signature_shows_what_a_library_wrote_as_text(self) -> None:
        self.prints(
            """
import dataclasses, functools, inspect, shutil, contextlib
def plain(*args): ...
import json, pandas as pd
class Heir(json.JSONEncoder): ...
wrapped = functools.wraps(pd.DataFrame.merge)(plain)
for function in (wrapped, functools.partial(wrapped), Heir, functools.partial(json.dumps), pd.DataFrame):
    for parameter in inspect.signature(function).parameters.values():
        values = parameter.default, parameter.annotation
        if any(not isinstance(each, (str, int, float, bool, type(None), tuple)) for each in values if each is not inspect.Parameter.empty):
            shown = {type(each).__name__ for each in values} - {"str", "bool", "NoneType", "tuple", "int", "type"}
            if shown - {"Shown"}: print(function, parameter, shown)
def held(a=shutil.copy, b=[1], c=pd): ...
shown = inspect.signature(held).parameters
print(shown["a"].default is shutil.copy, shown["b"].default, shown["c"].default)
""",
            "True [1] ...\n",
        )

    def test_no_other_name_of_sys_is_set(self) -> None:
        for code in ("sys.path = []", "sys.modules = {}", "setattr(sys, 'exit', print)", "delattr(sys, 'stdout')", "sys.displayhook = print"):
            run = self.run_script(f"import sys\n{code}")
            self.assertIn("modules cannot be changed", run.error, code)

    def test_what_the_guards_own_modules_lack_is_named_with_what_to_do(self) -> None:
        for expression, text in (
            ("os.getuid()", "a process of its own"),
            ("os.fchdir(3)", "the working directory is OUTPUT"),
            ("signal.alarm(3)", "bounded from outside"),
            ("os.open('x', 0)", "files have no numbers"),
            ("os.symlink('a', 'b')", "shutil.copy"),
            ("shutil.disk_usage('.')", "limits.output_bytes"),
            ("inspect.currentframe()", "print the values"),
            ("tempfile.mktemp()", "mkstemp"),
        ):
            with self.subTest(expression):
                run = self.run_script(f"import os, sys, shutil, signal, inspect, tempfile\n{expression}")
                self.assertIn("AttributeError", run.error)
                self.assertIn(text, run.error)
        for code in ("import os\nos.system('ls')", "from os import system", "import os\nos.popen('ls').read()"):
            run = self.run_script(code)
            self.assertIn("no other program can be started", run.report["violations"][0]["message"], code)

    def test_without_the_import_there_is_none(self) -> None:
        run = self.host.run("import os", imports=["math"])
        self.assertEqual(run.rules, ["import.denied"])
        run = self.host.run("import os.path\nprint(os.path.join('a', 'b'))\nos.listdir()", imports=["os.path"])
        self.assertIn("AttributeError", run.error)
        self.assertEqual(run.stdout, "a/b\n")


class SignatureTextTest(unittest.TestCase):
    """No way is known by which a script makes such a class: this is what holds if there is one."""

    def test_what_the_script_says_is_not_read(self) -> None:
        signature: Any = _inspect.contents(Attributes(_rules.Rules(frozenset(), frozenset(), frozenset())))["signature"]
        made = type("Made", (), {"__signature__": "(x=shutil.copyfile)"})
        _own.adopt(made)
        outer = type("Outer", (), {"__init__": made})
        _own.adopt(outer)
        for odd in (made, functools.partial(made), made(), outer, functools.wraps(made)(lambda: None)):
            with self.assertRaises(TypeError):
                signature(odd)


class NamesTest(Case):
    def test_globals_and_locals_are_copies(self) -> None:
        self.prints(
            """
x = 1
def f(y):
    z = 2
    return locals(), vars(), sorted(globals())
here, there, names = f(3)
print(here, there, "x" in names, "f" in names, [name for name in names if name.startswith("__")])
print(globals().get("x"), globals().get("missing"), "x" in globals(), "x" in locals(), [*map(lambda n: globals()[n], ["x"])])
for write in (lambda: globals().update(a=1), lambda: globals().__setitem__("a", 1), lambda: locals().pop("x", None)):
    try:
        write()
    except TypeError as error:
        print("copy" in str(error))
class A:
    a = 1
    print(sorted(locals()))
""",
            "{'y': 3, 'z': 2} {'y': 3, 'z': 2} True True ['__doc__', '__name__']\n1 None True True [1]\nTrue\nTrue\nTrue\n['a']\n",
        )

    def test_no_library_is_asked_for_its_own(self) -> None:
        run = self.run_script("import pandas as pd\nx = 1\npd.DataFrame({'a': [1]}).query('a == @locals()[\"a\"]')")
        self.assertEqual(run.outcome, "raised", run.report)
        run = self.run_script("import functools\n@functools.singledispatch\ndef f(x): ...\nimport contextlib\nwith contextlib.ExitStack() as stack:\n    stack.callback(locals)\n")
        self.assertIn("only the script itself", run.error)

    def test_a_policy_may_deny_them(self) -> None:
        run = self.run_script("print(globals(), locals())", denied_builtins=["globals", "locals"])
        self.assertEqual(run.rules, ["builtin.denied"] * 2)
        run = self.run_script("def f(): return vars()\nf()", denied_builtins=["globals", "locals"])
        self.assertIn("TypeError", run.error)

    def test_input_says_where_the_inputs_are(self) -> None:
        for inputs, text in (("none", "put the value into the script"), ("data", "dict data"), ("context", "context.inputs")):
            run = self.run_script("name = input('?')", inputs=inputs)
            self.assertIn(text, run.report["error"]["message"])
