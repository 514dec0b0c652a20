"""Modules that ordinary scripts import: what they do, and what they do not lend a script."""

from __future__ import annotations

import unittest

from tests.host import run_once

IMPORTS = (
    "email email.header email.headerregistry email.message email.mime.multipart email.mime.text email.parser email.policy "
    "email.utils gettext http.cookies mimetypes plistlib quopri stat stringprep tarfile threading token tokenize wave os.path "
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
    "email": (
        "import email\nfrom email import policy\nfrom email.message import EmailMessage\nfrom email.mime.multipart import MIMEMultipart\n"
        "from email.mime.text import MIMEText\nfrom email.parser import BytesParser\nfrom email.utils import formataddr\n"
        "m = EmailMessage()\nm['Subject'] = 'Café'\nm['To'] = formataddr(('Ward', 'w@example.org'))\nm.set_content('seven')\n"
        "m.add_attachment(b'a,b', maintype='text', subtype='csv', filename='c.csv')\n"
        "back = BytesParser(policy=policy.default).parsebytes(bytes(m))\n"
        "old = MIMEMultipart()\nold.attach(MIMEText('x'))\n"
        "result = [back['subject'], back['to'].addresses[0].display_name, [p.get_filename() for p in back.walk()],\n"
        "          email.message_from_string(old.as_string()).get_payload()[0].get_payload()]",
        ["Café", "Ward", [None, None, "c.csv"], "x"],
    ),
    "tarfile": (
        "import io, os, tarfile\nos.makedirs('in')\nopen('in/a.txt', 'w').write('aa')\nb = io.BytesIO()\n"
        "with tarfile.open('t.tgz', 'w:gz') as t: t.add('in', arcname='sub')\n"
        "with tarfile.open(fileobj=b, mode='w') as t:\n    i = tarfile.TarInfo('m')\n    i.size = 2\n    t.addfile(i, io.BytesIO(b'mm'))\n"
        "with tarfile.open('t.tgz') as t: t.extractall('out')\n"
        "result = [tarfile.is_tarfile('t.tgz'), open('out/sub/a.txt').read(),\n"
        "          tarfile.open(fileobj=io.BytesIO(b.getvalue())).extractfile('m').read().decode()]",
        [True, "aa", "mm"],
    ),
    "small ones": (
        "import gettext, http.cookies, io, mimetypes, plistlib, quopri, stat, stringprep, token, tokenize, wave\n"
        "c = http.cookies.SimpleCookie('a=b')\nb = io.BytesIO()\n"
        "with wave.open(b, 'wb') as w: w.setparams((1, 2, 8000, 0, 'NONE', ''))\n"
        "words = [token.tok_name[t.type] for t in tokenize.generate_tokens(io.StringIO('a = 1').readline)]\n"
        "result = [gettext.gettext('x'), c['a'].value, mimetypes.guess_type('a.csv')[0], plistlib.loads(plistlib.dumps({'a': 1})),\n"
        "          quopri.encodestring(b'=').decode(), stat.S_ISREG(stat.S_IFREG), stringprep.in_table_a1('a'), words[:3],\n"
        "          wave.open(io.BytesIO(b.getvalue())).getframerate()]",
        ["x", "b", "text/csv", {"a": 1}, "=3D", True, False, ["NAME", "OP", "NUMBER"], 8000],
    ),
    "threads": (
        "import threading\ndone = threading.Event()\nt = threading.Thread(target=done.wait, name='waiter')\nt.start()\n"
        "names = sorted(each.name for each in threading.enumerate())\ndone.set()\nt.join()\n"
        "result = [names, len(threading.enumerate()), threading.main_thread() is threading.current_thread()]",
        [["MainThread", "waiter"], 1, True],
    ),
    "sched": (
        "import sched, time\nsaid = []\ns = sched.scheduler(time.monotonic, time.sleep)\ns.enter(0, 1, said.append, (1,))\n"
        "s.run()\nresult = said",
        [1],
    ),
}
_PACK = (
    "import io, os, tarfile\ndef pack(name, **given):\n    b = io.BytesIO()\n    t = tarfile.open(fileobj=b, mode='w')\n"
    "    i = tarfile.TarInfo(name)\n    for each, value in given.items(): setattr(i, each, value)\n"
    "    t.addfile(i)\n    t.close()\n    b.seek(0)\n    return tarfile.open(fileobj=b)\n"
)
REFUSED = {
    "a policy of email keeps its class": (
        "from email import policy\nclass C: pass\npolicy.default.clone(**{'__class__': C})",
        "'__class__' is an invalid keyword argument for a policy",
    ),
    "as it begins": (
        "from email import policy\nclass C: pass\npolicy.EmailPolicy(**{'__class__': C})",
        "'__class__' is an invalid keyword argument for a policy",
    ),
    "headers are of email's classes": (
        "from email import policy\nclass C: pass\ntype(policy.default.header_factory)(base_class=C)('subject', 'x')",
        "one of email.headerregistry",
    ),
    "a tar reads in the zones": ("import tarfile\ntarfile.open('a.tar', 'w').add('/etc/passwd')", "FileNotFoundError"),
    "and what they hold": ("import tarfile\ntarfile.open('/etc/passwd')", "PermissionError"),
    "and tells of nothing else": ("import io, tarfile\ntarfile.open(fileobj=io.BytesIO(), mode='w').gettarinfo('/usr/bin/python3')", "FileNotFound"),
    "it is no stream of descriptors": ("import tarfile\ntarfile.open('a.tar', 'w|')", "fileobj=open"),
    "it writes in them": (_PACK + "pack('../../../up').extractall('x')", "OutsideDestinationError"),
    "whatever its filter": (_PACK + "pack('../../../up').extractall('x', filter='fully_trusted')", "PermissionError"),
    "it makes no links": (
        _PACK + "pack('l', type=tarfile.SYMTYPE, linkname='/etc').extractall('x', filter='fully_trusted')\n"
        "os.stat('x/l')",
        "FileNotFoundError",
    ),
    "it opens by the names of its own table": (
        "import tarfile\nclass T(tarfile.TarFile): OPEN_METH = {'tar': '__subclasses__'}\nT.open('a.tar', 'w:tar')",
        "'__subclasses__' cannot be read by that name here",
    ),
    "a wave is opened in the zones": ("import wave\nwave.open('/etc/passwd')", "PermissionError"),
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
    def test_they_work(self) -> None:
        for title, (code, result) in WORK.items():
            with self.subTest(title):
                run = run_once(self, code, imports=IMPORTS)
                self.assertEqual((run.outcome, run.error, run.report.get("result")), ("completed", "", result), run.report)

    def test_they_lend_nothing(self) -> None:
        for title, (code, said) in REFUSED.items():
            with self.subTest(title):
                run = run_once(self, code, imports=IMPORTS)
                self.assertEqual(run.outcome, "raised", run.report)
                self.assertIn(said, run.error)

    def test_what_a_command_answers_brings_nothing_private(self) -> None:
        run = run_once(
            self,
            "import argparse, random\nclass Kept(argparse.Namespace):\n    def told(self): return [n for n in vars(self) if n != 'c']\n"
            "class Sub:\n    def __init__(self, **options): pass\n    def parse_known_args(self, args, ns): return random.Random(1), []\n"
            "p = argparse.ArgumentParser()\np.add_subparsers(dest='c', parser_class=Sub).add_parser('go')\n"
            "result = p.parse_args(['go'], Kept()).told()",
            imports=IMPORTS,
        )
        self.assertEqual((run.outcome, run.report["result"]), ("completed", ["gauss_next"]), run.report)

    def test_distributions_are_integrated_natively(self) -> None:
        code = (
            "from scipy import stats\nresult = [round(float(stats.studentized_range.cdf(3.5, 3, 20)), 6),\n"
            "  round(float(stats.studentized_range.pdf(1, 3, 10)), 6), round(float(stats.studentized_range.sf(3, 3, 1e6)), 6),\n"
            "  round(float(stats.genhyperbolic.cdf(0.5, 0.5, 1.5, -0.5)), 6), round(float(stats.genhyperbolic.sf(-3, 0.5, 1.5, -0.5)), 6),\n"
            "  round(float(stats.geninvgauss.cdf(1.2, 2.3, 1.5)), 6)]"
        )
        run = run_once(self, code, imports=["scipy", "scipy.stats"])
        self.assertEqual(run.report["result"], [0.944108, 0.398772, 0.085543, 0.856729, 0.961951, 0.081943], run.report)

    def test_arguments_that_are_wrong_end_the_run_as_documented(self) -> None:
        run = run_once(self, "import argparse\nargparse.ArgumentParser().parse_args(['--no'])", imports=IMPORTS)
        self.assertIn("unrecognized arguments: --no", run.stderr)
        self.assertEqual((run.outcome, run.report["error"]["type"]), ("raised", "SystemExit"), run.report)


if __name__ == "__main__":
    unittest.main()
