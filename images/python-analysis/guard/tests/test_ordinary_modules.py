"""Modules that ordinary scripts import: what they do, and what they do not lend a script."""

from __future__ import annotations

import unittest
from typing import Any

from tests.host import Host

IMPORTS = (
    "time argparse configparser html.parser importlib importlib.metadata importlib.util io json logging os random sched sys timeit "
    "xml.dom.minidom xml.etree.ElementTree xml.sax.saxutils"
).split()

WORK = {
    "argparse": (
        "import argparse\np = argparse.ArgumentParser(prog='x')\np.add_argument('-n', type=int, default=3)\n"
        "s = p.add_subparsers(dest='c')\ns.add_parser('go').add_argument('--f', action='store_true')\n"
        "a = p.parse_args(['-n', '5', 'go', '--f'])\nresult = [a.n, a.c, a.f, vars(a)['n'], p.parse_args([]).n, p.parse_args().n]",
        [5, "go", True, 5, 3, 3],
    ),
    "configparser": (
        "import configparser\nopen('a.ini', 'w').write('[a]\\nb = 1\\nc = %(b)s2\\n')\nc = configparser.ConfigParser()\n"
        "read = c.read(['a.ini', '/etc/none'])\n"
        "with open('b.ini', 'w') as f: c.write(f)\nresult = [read, c['a'].getint('c'), c.sections(), c.has_option('a', 'z')]",
        [["a.ini"], 12, ["a"], False],
    ),
    "importlib": (
        "import importlib, importlib.util\nname = 'js' + 'on'\n"
        "result = [importlib.import_module(name).dumps([1]), importlib.util.find_spec('torch'), importlib.util.find_spec(name).name,\n"
        "          importlib.util.find_spec('subprocess')]",
        ["[1]", None, "json", None],
    ),
    "logging": (
        "import io, logging, sys\ns = io.StringIO()\nlog = logging.getLogger('shop')\nlog.propagate = False\n"
        "for h in (logging.StreamHandler(s), logging.FileHandler('run.log')):\n"
        "    h.setFormatter(logging.Formatter('%(levelname)s %(name)s: %(message)s'))\n    log.addHandler(h)\n"
        "log.warning('a %s', 1)\nresult = [s.getvalue(), open('run.log').read()]",
        ["WARNING shop: a 1\n"] * 2,
    ),
    "timeit": (
        "import timeit\nn = []\nresult = [timeit.timeit(lambda: n.append(1), number=3) >= 0, len(n), "
        "len(timeit.repeat(int, repeat=2, number=1)), timeit.Timer(int).autorange()[0] > 1]",
        [True, 3, 2, True],
    ),
    "xml": (
        "import xml.etree.ElementTree as ET\nfrom xml.dom import minidom\nr = ET.fromstring('<a><b i=\"1\">t</b></a>')\n"
        "ET.SubElement(r, 'c').text = '<'\nET.ElementTree(r).write('a.xml')\n"
        "result = [r.find('b').get('i'), ET.parse('a.xml').getroot().findtext('c'), minidom.parse('a.xml').getElementsByTagName('c').length,\n"
        "          [e.tag for _, e in ET.iterparse('a.xml')], ET.tostring(r, encoding='unicode')]",
        ["1", "<", 1, ["b", "c", "a"], '<a><b i="1">t</b><c>&lt;</c></a>'],
    ),
    "sched": (
        "import sched, time\nsaid = []\ns = sched.scheduler(time.monotonic, time.sleep)\ns.enter(0, 1, said.append, (1,))\n"
        "s.run()\nresult = said",
        [1],
    ),
}
REFUSED = {
    "a format and the namespace of any object": (
        "import logging\nclass T(str):\n    def __mod__(self, v): print(v)\n"
        "logging.Formatter(T('%(message)s'), validate=False).formatMessage(object)",
        "a format takes a LogRecord",
    ),
    "defaults and the namespace of any object": (
        "import logging\nclass D(dict):\n    def __or__(self, v): print(v)\n"
        "logging.Formatter('{message}', style='{', defaults=D()).formatMessage(logging.Formatter)",
        "a format takes a LogRecord",
    ),
    "features of a builder of documents": (
        "import xml.dom.minidom as m\nm.Document().implementation.createDOMBuilder(1, None).getFeature('__reduce_ex__')",
        "NotFoundErr",
    ),
    "argparse sets nothing of a library's class": (
        "import argparse, json\np = argparse.ArgumentParser()\np.add_argument('--indent')\np.parse_args(['--indent', '1'], json.JSONEncoder)",
        "of a library's class or module cannot be set here",
    ),
    "nor a special name": (
        "import argparse\nclass A: pass\nargparse.ArgumentParser().parse_args([], argparse.Namespace(**{'__class__': A}))",
        "'__class__' cannot be set by that name here",
    ),
    "nor does a default": (
        "import argparse\nclass A: pass\np = argparse.ArgumentParser()\np.set_defaults(**{'__wrapped__': 1})\np.parse_args([], A())",
        "'__wrapped__' cannot be set by that name here",
    ),
    "argparse opens no file": (
        "import argparse\nargparse.ArgumentParser(fromfile_prefix_chars='@').parse_args(['@/etc/passwd'])",
        "fromfile_prefix_chars is not available",
    ),
    "importlib imports nothing that is not listed": (
        "import importlib\nimportlib.import_module('sub' + 'process')",
        "ModuleNotFoundError: 'subprocess' may not be imported",
    ),
    "nor by a relative name": ("import importlib\nimportlib.import_module('.x', 'os')", "by its full name"),
    "nor does a text that changes": (
        "import importlib\nclass T(str):\n  def __eq__(self, o): return True\n  __hash__ = str.__hash__\n"
        "importlib.import_module(T('ctypes'))",
        "may not be imported",
    ),
    "timeit runs no text": ("import timeit\ntimeit.timeit('1 + 1', number=1)", "stmt of timeit is a function here"),
    "logging writes in the zones": ("import logging\nlogging.FileHandler('/etc/run.log')", "open() writes below OUTPUT"),
    "xml reads in them": ("import xml.etree.ElementTree as ET\nET.parse('/etc/passwd')", "PermissionError"),
    "and writes in them": (
        "import xml.etree.ElementTree as ET\nET.ElementTree(ET.Element('a')).write('/usr/a.xml')",
        "PermissionError",
    ),
    "an external entity is not fetched": (
        "import xml.etree.ElementTree as ET\n"
        "ET.fromstring('<!DOCTYPE a [<!ENTITY e SYSTEM \"/etc/passwd\">]><a>&e;</a>')",
        "ParseError: undefined entity",
    ),
    "entities do not grow without end": (
        "import xml.etree.ElementTree as ET\n"
        "many = ''.join(f'<!ENTITY e{n + 1} \"{(\"&e%d;\" % n) * 10}\">' for n in range(9))\n"
        "ET.fromstring(f'<!DOCTYPE a [<!ENTITY e0 \"xxxxxxxxxx\">{many}]><a>&e9;</a>')",
        "ParseError",
    ),
}


class Modules(unittest.TestCase):
    def run_one(self, code: str) -> Any:
        host = Host()
        self.addCleanup(host.close)
        return host.run(code, imports=IMPORTS)

    def test_they_work(self) -> None:
        for title, (code, result) in WORK.items():
            with self.subTest(title):
                run = self.run_one(code)
                self.assertEqual((run.outcome, run.error, run.report.get("result")), ("completed", "", result), run.report)

    def test_they_lend_nothing(self) -> None:
        for title, (code, said) in REFUSED.items():
            with self.subTest(title):
                run = self.run_one(code)
                self.assertEqual(run.outcome, "raised", run.report)
                self.assertIn(said, run.error)

    def test_what_a_command_answers_brings_nothing_private(self) -> None:
        run = self.run_one(
            "import argparse, random\nclass Kept(argparse.Namespace):\n    def told(self): return [n for n in vars(self) if n != 'c']\n"
            "class Sub:\n    def __init__(self, **options): pass\n    def parse_known_args(self, args, ns): return random.Random(1), []\n"
            "p = argparse.ArgumentParser()\np.add_subparsers(dest='c', parser_class=Sub).add_parser('go')\n"
            "result = p.parse_args(['go'], Kept()).told()"
        )
        self.assertEqual((run.outcome, run.report["result"]), ("completed", ["gauss_next"]), run.report)

    def test_arguments_that_are_wrong_end_the_run_as_documented(self) -> None:
        run = self.run_one("import argparse\nargparse.ArgumentParser().parse_args(['--no'])")
        self.assertIn("unrecognized arguments: --no", run.stderr)
        self.assertEqual((run.outcome, run.report["error"]["type"]), ("raised", "SystemExit"), run.report)


if __name__ == "__main__":
    unittest.main()
