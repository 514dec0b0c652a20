"""Modules as views: what is shown works as ever, and nothing leads to a real module."""

from __future__ import annotations

import subprocess
import sys
import types
import unittest
from pathlib import Path
from typing import Any

from hotcell_guard.answering import _errors
from tests.host import Host, Run

STANDARD = {
    "sys": "sys.byteorder, sys.version_info, sys.float_info.max, sys.argv, sys.stdout.write('a')",
    "tempfile": "tempfile.TemporaryFile(dir=tempfile.mkdtemp()).write(b'a'), tempfile.mkstemp()",
    "os": "os.listdir(os.path.join(os.getcwd(), '.')), os.environ.get('HOME')",
    "glob": "glob.glob('*.csv')",
    "shutil": "shutil.get_terminal_size()",
    "inspect": "inspect.signature(len)",
    "math": "math.sqrt(4)",
    "cmath": "cmath.sqrt(-1)",
    "statistics": "statistics.mean([1, 2])",
    "random": "random.Random(1).random()",
    "decimal": "decimal.Decimal('1.1') + decimal.getcontext().prec",
    "fractions": "fractions.Fraction(1, 3)",
    "datetime": "datetime.datetime.strptime('2020-01-02', '%Y-%m-%d').astimezone(datetime.UTC)",
    "time": "time.perf_counter() - time.time()",
    "calendar": "calendar.monthrange(2024, 2)",
    "zoneinfo": "zoneinfo.ZoneInfo('Europe/Zurich')",
    "itertools": "list(itertools.pairwise([1, 2]))",
    "functools": "functools.reduce(lambda a, b: a + b, [1, 2])",
    "operator": "operator.itemgetter(1)([1, 2])",
    "collections": "collections.Counter('aab').most_common(1)",
    "collections.abc": "isinstance([], collections.abc.Sequence)",
    "re": "re.sub('a', lambda m: m[0].upper(), 'banana')",
    "string": "string.Template('$a').substitute(a=1)",
    "textwrap": "textwrap.dedent('  a')",
    "json": "json.loads(json.dumps({'a': 1}, indent=2), object_hook=dict)",
    "csv": "list(csv.DictReader(['a,b', '1,2']))",
    "io": "io.StringIO('a').read(), io.BytesIO(b'a').read()",
    "typing": "typing.get_type_hints(lambda: None)",
    "dataclasses": "dataclasses.asdict(dataclasses.make_dataclass('P', [('x', int)])(1))",
    "enum": "enum.Enum('Colour', 'RED BLUE').RED.name",
    "numbers": "isinstance(1, numbers.Integral)",
    "copy": "copy.deepcopy({'a': [1]})",
    "contextlib": "contextlib.nullcontext(1).__enter__()",
    "pprint": "pprint.pformat([1])",
    "heapq": "heapq.nsmallest(1, [2, 1])",
    "bisect": "bisect.bisect([1, 2], 1)",
    "array": "array.array('d', [1.0])",
    "base64": "base64.b64encode(b'a')",
    "binascii": "binascii.hexlify(b'a')",
    "hashlib": "hashlib.sha256(b'a').hexdigest()",
    "hmac": "hmac.new(b'k', b'm', 'sha256').hexdigest()",
    "uuid": "uuid.UUID(int=1), uuid.uuid4()",
    "secrets": "secrets.token_hex(4)",
    "struct": "struct.pack('<i', 1)",
    "warnings": "warnings.simplefilter('ignore')",
    "types": "types.SimpleNamespace(a=1).a, types.MappingProxyType({})",
    "logging": "logging.getLogger('a').info('b')",
    "pathlib": "pathlib.Path('a') / 'b'",
    "os.path": "os.path.join('a', os.path.basename('b/c'))",
    "abc": "abc.ABC",
    "ast": "ast.literal_eval('{1: [2, -3.5, (True, None)]}')",
    "bz2": "bz2.decompress(bz2.compress(b'a'))",
    "codecs": "codecs.decode(codecs.BOM_UTF8 + codecs.encode('a', 'utf-8'), 'utf-8-sig')",
    "concurrent.futures": "list(concurrent.futures.ThreadPoolExecutor(2).map(abs, [1, -2]))",
    "errno": "errno.ENOENT",
    "gzip": "gzip.decompress(gzip.compress(b'a'))",
    "html.entities": "html.entities.name2codepoint['amp']",
    "ipaddress": "ipaddress.ip_network('10.0.0.0/8')",
    "json.decoder": "json.decoder.JSONDecodeError",
    "json.encoder": "json.encoder.JSONEncoder().encode([1])",
    "lzma": "lzma.decompress(lzma.compress(b'a'))",
    "platform": "platform.python_version()",
    "shlex": "shlex.split('a \"b c\"')",
    "threading": "thread = threading.Thread(target=print); thread.start(); thread.join(); threading.Lock().acquire()",
    "tomllib": "tomllib.loads('a = 1')",
    "traceback": "traceback.format_exception_only(ValueError('a'))",
    "weakref": "weakref.WeakSet()",
    "zipfile": "zipfile.ZIP_DEFLATED",
    "argparse": "argparse.ArgumentParser().parse_args([])",
    "configparser": "configparser.ConfigParser().read_string('[a]\\nb = 1')",
    "html.parser": "html.parser.HTMLParser().feed('<p>a</p>')",
    "importlib": "importlib.import_module('json').dumps(importlib.util.find_spec('json').name)",
    "importlib.metadata": "importlib.metadata.PackageNotFoundError",
    "importlib.util": "importlib.util.find_spec('ctypes')",
    "sched": "sched.scheduler().run()",
    "timeit": "timeit.timeit(lambda: 1, number=2), timeit.Timer(int).autorange, timeit.default_timer()",
    "xml.dom.minidom": "xml.dom.minidom.parseString('<a><b/></a>').toprettyxml()",
    "xml.etree.ElementTree": "xml.etree.ElementTree.fromstring('<a><b/></a>').find('b').tag",
    "xml.sax.saxutils": "xml.sax.saxutils.escape('<')",
}
LIBRARIES = {
    "numpy": "numpy.fft.fft(numpy.ma.array([1.0])), numpy.polynomial.Polynomial([1]), numpy.testing.assert_allclose(1, 1)",
    "numpy.linalg": "numpy.linalg.norm([3, 4])",
    "numpy.random": "numpy.random.default_rng(1).normal(), numpy.random.seed(1)",
    "pandas": "pandas.api.types.is_list_like([]), pandas.errors.ParserError, pandas.options.display, pandas.core.frame.DataFrame",
    "scipy.stats": "scipy.stats.norm.cdf(0), scipy.stats.qmc.Sobol(1)",
    "scipy.signal": "scipy.signal.windows.hann(3)",
    "scipy.io": "scipy.io.loadmat",
    "statsmodels.api": "statsmodels.api.tsa.acf([1, 2, 3.0]), statsmodels.api.families.links.Log()",
    "statsmodels.formula.api": "statsmodels.formula.api.ols",
    "matplotlib": "matplotlib.colors.to_rgb('red'), matplotlib.rcParams.update({'font.size': 9})",
    "matplotlib.pyplot": "matplotlib.pyplot.rcParams['font.size'], matplotlib.pyplot.cm.viridis(0.5)",
    "plotly.express": "plotly.express.data.iris(), plotly.express.colors.qualitative.Plotly",
    "plotly.graph_objects": "plotly.graph_objects.Figure(plotly.graph_objects.Bar(y=[1]))",
    "patsy": "patsy.dmatrix('x', {'x': [1, 2]})",
    "dateutil.parser": "dateutil.parser.parse('2020-01-02')",
    "pytz": "pytz.timezone('Europe/Zurich')",
    "requests": "requests.exceptions.ConnectionError",
    "pydantic": "pydantic.BaseModel",
    "jmespath": "jmespath.search('a', {'a': 1})",
    "yaml": "yaml.safe_load('a: 1')",
    "seaborn": "seaborn.color_palette('deep'), seaborn.despine, seaborn.objects.Plot",
    "sklearn": "sklearn.config_context()",
    "sklearn.linear_model": "sklearn.linear_model.LinearRegression().fit([[1], [2]], [1, 2]).coef_",
    "sklearn.datasets": "sklearn.datasets.load_iris().target_names, sklearn.datasets.make_blobs(4)",
    "sklearn.utils": "sklearn.utils.shuffle([1, 2]), sklearn.utils.check_random_state(1)",
    "openpyxl": "openpyxl.Workbook().active.title, openpyxl.utils.get_column_letter(3), openpyxl.styles.Font(bold=True)",
    "openpyxl.formatting.rule": "openpyxl.formatting.rule.FormulaRule(formula=['A1'])",
    "tabulate": "tabulate.tabulate([[1]])",
    "tqdm": "list(tqdm.tqdm([1], disable=True))",
    "tqdm.auto": "tqdm.auto.trange",
    "matplotlib.animation": "matplotlib.animation.FuncAnimation",
    "matplotlib.backend_bases": "matplotlib.backend_bases.MouseButton.LEFT",
    "matplotlib.backends.backend_agg": "matplotlib.backends.backend_agg.FigureCanvasAgg",
    "matplotlib.sankey": "matplotlib.sankey.Sankey",
    "mpl_toolkits.axes_grid1": "mpl_toolkits.axes_grid1.make_axes_locatable",
    "plotly.utils": "plotly.utils.PlotlyJSONEncoder().encode(plotly.graph_objects.Figure())",
    "scipy.sparse.csr": "scipy.sparse.csr.csr_matrix([[1]])",
    "statsmodels.datasets.longley": "statsmodels.datasets.longley.load_pandas().data",
    "statsmodels.sandbox.regression.predstd": "statsmodels.sandbox.regression.predstd.wls_prediction_std",
    "asyncio": "asyncio.run(asyncio.sleep(0)), asyncio.Queue(), asyncio.new_event_loop().close()",
}

# Module and names that it has, or that a library reaches it by, and no script may.
NOT_SHOWN = {
    "seaborn": "load_dataset get_dataset_names utils external axisgrid.inspect choose_light_palette",
    "sklearn": "os sys random logging show_versions setup_module externals utils.metadata_routing utils.fixes",
    "sklearn.datasets": "fetch_openml fetch_california_housing clear_data_home get_data_home textwrap",
    "sklearn.utils": "all_estimators deprecated parallel_backend register_parallel_backend fixes platform timeit warnings",
    "sklearn.base": "os",
    "sklearn.feature_selection": "attrgetter",
    "openpyxl": "open reader writer xml descriptors packaging compat DEFUSEDXML pivot",
    "openpyxl.styles": "NumberFormatDescriptor numbers proxy stylesheet",
    "openpyxl.chart": "descriptors reader",
    "tabulate": "io dataclasses main sys",
    "tqdm": "main TMonitor cli std utils tqdm_gui tqdm_notebook tqdm_pandas gui",
    "tqdm.auto": "warnings std_tqdm asyncio_tqdm notebook_tqdm",
    "sys": "settrace setprofile meta_path path_hooks path_importer_cache gettrace executable "
    "addaudithook monitoring flags implementation displayhook last_exc",
    "signal": "alarm setitimer pthread_kill siginterrupt set_wakeup_fd pidfd_send_signal enum",
    "tempfile": "template TMP_MAX mktemp",
    "os": "system popen fork kill getuid open read write dup2 fchdir symlink link chmod sys abc st posix environb fwalk "
    "stat_result DirEntry terminal_size sched_setaffinity register_at_fork",
    "glob": "os re fnmatch glob0 glob1 translate",
    "shutil": "os sys which disk_usage chown",
    "inspect": "stack currentframe getsource getmodule trace sys os types linecache getattr_static unwrap",
    "numpy": "os sys core ctypeslib f2py distutils matlib compat _core test DataSource lib.npyio lib.format",
    "pandas": "io core.computation compat util read_pickle HDFStore read_sql api.types.os core.frame.sys",
    "scipy.stats": "np sys _stats_py test morestats",
    "matplotlib": "_api os sys backends testing texmanager importlib",
    "matplotlib.pyplot": "sys importlib inspect _backend_mod",
    "statsmodels.api": "load iolib sys webdoc",
    "plotly.express": "np trendline_functions._os _core",
    "random": "_os _urandom os",
    "re": "enum functools copyreg _compiler",
    "json": "scanner",
    "statistics": "sys random math",
    "dataclasses": "sys inspect keyword abc _FIELDS",
    "collections": "_sys sys",
    "typing": "sys types _sys",
    "enum": "sys bltns global_enum",
    "io": "FileIO open_code abc",
    "types": "FrameType new_class CodeType ModuleType sys",
    "copy": "types weakref dispatch_table",
    "contextlib": "os sys chdir",
    "uuid": "os sys",
    "logging": "os sys Manager config handlers setLoggerClass setLogRecordFactory traceback",
    "argparse": "FileType _sys _os os sys open",
    "configparser": "os sys ConverterMapping open",
    "html.parser": "re _markupbase",
    "importlib": "reload machinery abc resources sys __import__",
    "importlib.util": "module_from_spec spec_from_file_location spec_from_loader LazyLoader",
    "importlib.metadata": "entry_points files distribution",
    "sched": "threading time",
    "timeit": "gc sys itertools main template exec",
    "xml.dom.minidom": "getDOMImplementation io xml domreg",
    "xml.etree.ElementTree": "XMLParser XMLPullParser TreeBuilder sys io re weakref ElementPath",
    "xml.sax.saxutils": "XMLGenerator XMLFilterBase prepare_input_source io os urllib",
    "pathlib": "os _os",
    "os.path": "os genericpath",
    "yaml": "load unsafe_load Loader",
    "asyncio": "base_events events subprocess create_subprocess_exec open_connection StreamReader selector_events runners "
    "DefaultEventLoopPolicy set_event_loop_policy get_event_loop_policy SelectorEventLoop sys",
    "requests": "get.os compat adapters",
    "pydantic": "ImportString create_model v1",
    "pandas.api": "interchange",
    "time": "clock_settime",
    "ast": "PyCF_ONLY_AST main sys re contextmanager Num NodeVisitor.visit.__globals__ AST.__init__.__globals__ parse.__globals__",
    "codecs": "register lookup getreader StreamReaderWriter EncodedFile builtins sys",
    "gzip": "os io struct main READ builtins",
    "json.decoder": "scanner scanstring re",
    "platform": "subprocess os sys libc_ver freedesktop_os_release",
    "shlex": "shlex os sys",
    "threading": "settrace setprofile excepthook stack_size gettrace _sys _os functools",
    "traceback": "print_stack extract_stack walk_stack walk_tb StackSummary.extract TracebackException.__init__.__globals__ linecache sys",
    "weakref": "proxy sys itertools finalize._registry",
    "zipfile": "PyZipFile Path main os shutil importlib",
    "matplotlib.cbook": "subprocess os sys gzip np open_file_cm to_filehandle print_cycles functools _lock_path _setattr_cm "
    "_check_and_log_subprocess get_sample_data.__globals__ CallbackRegistry.__init__.__globals__",
    "matplotlib.animation": "subprocess os shutil sys Image TemporaryDirectory MovieWriter.setup.__globals__",
    "matplotlib.backend_bases": "register_backend get_registered_canvas_class importlib os cbook",
    "matplotlib.backend_tools": "add_tools_to_manager Gcf mpl cbook default_tools",
    "matplotlib.font_manager": "subprocess os",
    "matplotlib.textpath": "TexManager cbook urllib",
    "plotly.utils": "_plotly_utils memoize",
    "scipy.io": "matlab netcdf_file readsav FortranFile",
    "statsmodels.datasets": "utils webuse clear_data_home",
    "statsmodels.gam.gam_cross_validation.cross_validators": "with_metaclass",
    "statsmodels.tsa.holtwinters.results": "populate_wrapper",
    "statsmodels.base.model": "wrap warnings",
}
SPECIAL = "__loader__ __spec__ __builtins__ __file__ __path__ __package__ __getattr__".split()


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def run_script(self, code: str, imports: Any) -> Run:
        run = self.host.run(code, imports=list(imports))
        self.assertEqual(run.raw_stderr, b"")
        return run

    def completed(self, code: str, *imports: str) -> Run:
        run = self.run_script(code, imports)
        self.assertEqual((run.outcome, run.error), ("completed", ""), run.report)
        return run

    def raised(self, code: str, *imports: str) -> str:
        run = self.run_script(code, imports)
        self.assertEqual(run.outcome, "raised", run.report)
        return run.error


class Shown(Case):
    def test_what_scripts_use_of_the_standard_library(self) -> None:
        lines = [f"import {name}\n{expression}" for name, expression in STANDARD.items()]
        self.completed("\n".join(lines), *STANDARD)

    def test_what_scripts_use_of_the_libraries(self) -> None:
        lines = [f"import {name}\n{expression}" for name, expression in LIBRARIES.items()]
        self.completed("\n".join(lines), *LIBRARIES)

    def test_a_submodule_without_its_package(self) -> None:
        code = "import scipy.stats\nscipy.stats.norm.pdf(0)\nimport scipy.stats as st\nfrom scipy.stats import norm\nfrom scipy import stats"
        self.completed(code, "scipy.stats")
        self.assertIn("has no attribute 'optimize'", self.raised("import scipy.stats\nscipy.optimize", "scipy.stats"))
        self.completed("import os.path\nimport os.path as p\nfrom os.path import join\np.join('a')", "os.path")
        self.assertIn("has no attribute 'getpid'", self.raised("import os.path\nos.getpid", "os.path"))

    def test_one_view_for_one_module(self) -> None:
        code = (
            "import numpy as np, numpy, matplotlib.pyplot as plt, pandas\nimport matplotlib\n"
            "[np is numpy, plt.np is np, matplotlib.pyplot is plt, plt.matplotlib is matplotlib, np.emath is np.emath]"
        )
        run = self.completed(code, "numpy", "matplotlib", "matplotlib.pyplot", "pandas")
        self.assertEqual(run.report["result"], [True] * 5)

    def test_a_view_cannot_be_changed(self) -> None:
        for line in ("json.dumps = None", "del json.dumps", "setattr(json, 'dumps', None)"):
            with self.subTest(line):
                self.assertIn("modules cannot be changed", self.raised(f"import json\n{line}", "json"))

    def test_a_name_deleted_while_it_is_imported(self) -> None:
        # IMPORT_FROM would take the real module from sys.modules.
        code = (
            "import numpy\ndef f():\n    try: yield\n    finally: del numpy.random\n"
            "x = f(); next(x)\nfrom numpy import array as x, random\nhasattr(random, 'mtrand')"
        )
        self.assertIs(self.completed(code, "numpy", "numpy.random").report["result"], False)


class Hidden(Case):
    def test_names_that_lead_elsewhere(self) -> None:
        lines = ["found = []", "def path(o, names):", "    for n in names.split('.'): o = getattr(o, n)", "    return o"]
        for module, names in NOT_SHOWN.items():
            lines.append(f"import {module} as module")
            lines.append(f"for name in {names.split() + SPECIAL}:")
            lines.append("    try: path(module, name)\n    except (AttributeError, TypeError): pass")
            lines.append(f"    else: found.append({module!r} + '.' + name)")
        self.assertEqual(self.completed("\n".join([*lines, "found"]), *NOT_SHOWN).report["result"], [])

    def test_names_imported_from_modules(self) -> None:
        for module, name, advice in (
            ("pandas", "io", "use the readers of 'import pandas as pd'"),
            ("numpy", "ctypeslib", "'ctypeslib' may not be imported from numpy"),
            ("pandas", "read_cvs", "pandas has: read_csv"),
            ("random", "os", "'os' may not be imported from random"),
            ("scipy", "stats", "this policy does not list the module scipy.stats"),
            ("scipy.io", "netcdf_file", "it is not available here; see dir(io)"),
            ("scipy.io", "savemap_everything", "scipy.io has no such name here; see dir(io)"),
            ("argparse", "FileType", "it opens files by itself; take the path as text, and open() it"),
        ):
            with self.subTest(f"{module}.{name}"):
                run = self.run_script(f"from {module} import {name}", [module])
                said = run.error or str(run.report["violations"])
                self.assertIn(advice, said)

    def test_a_missing_name_is_named_with_the_nearest(self) -> None:
        error = self.raised("import pandas as pd\npd.read_cvs('x')", "pandas")
        self.assertIn("pandas has: read_csv", error)

    def test_listing_a_floor_module_allows_nothing(self) -> None:
        for name in ("numpy.f2py", "os.sys", "posix", "pandas.io.common", "scipy._lib", "plotly.io.kaleido", "statsmodels.iolib.smpickle"):
            with self.subTest(name):
                self.assertEqual(self.run_script(f"import {name} as x", [name]).rules, ["import.denied"])

    def test_no_object_leads_to_a_module(self) -> None:
        walk = Path(__file__).with_name("walk.py")
        found = subprocess.run([sys.executable, "-sBP", "-W", "ignore", str(walk)], capture_output=True, timeout=300, text=True)
        self.assertEqual((found.returncode, found.stdout), (0, ""), found.stderr[-2000:])


# Each prints nothing but "held" when it does not get through. The first line of each
# reaches what the guard must keep; names are built so that vetting cannot see them.
GADGETS = {
    "attrgetter": "operator.attrgetter('__glo' + 'bals__')(json.loads)",
    "attrgetter, a path": "operator.attrgetter('loads.__glo' + 'bals__')(json)",
    "attrgetter, its class": "type(operator.attrgetter('real'))('__glo' + 'bals__')(json.loads)",
    "methodcaller": "operator.methodcaller('__getattr' + 'ibute__', '__glo' + 'bals__')(json.loads)",
    "Formatter": "string.Formatter().get_field('0.__glo' + 'bals__', (json.loads,), {})",
    "Formatter.vformat": "string.Formatter().vformat('{0.__glo' + 'bals__}', (json.loads,), {})",
    "update_wrapper": "functools.update_wrapper(Derived(1), json.loads, ('__glo' + 'bals__',), ())",
    "wraps, its function": "functools.wraps(json.loads).func(lambda: 0, json.loads, ('__co' + 'de__',))",
    "catch_warnings": "warnings.catch_warnings(module=json)._module",
    "redirect_stdout, its class": "type(contextlib.redirect_stdout(io.StringIO()))('stdout')._stream",
    "SimpleNamespace": "types.SimpleNamespace(**{'__array_inter' + 'face__': 1})",
    "Series as an array interface": (
        "np.asarray(pd.Series({'__array_inter' + 'face__': dict(data=(id(1), True), shape=(1,), typestr='<u8', version=3)}))"
        ".dtype.name == 'object' and 1 / 0"
    ),
    "as_strided": "np.lib.stride_tricks.as_strided(np.zeros(1), (4,), (8,))",
    "as_strided, before the array": "np.lib.stride_tricks.as_strided(np.zeros(4)[2:], (4,), (-8,))",
    "make_dataclass": "dataclasses.make_dataclass('A', [('x=print(\"ESC\" + \"APED\")', int)])",
    "a field's name changed": (
        "setattr(dataclasses.fields(Base)[0], 'name', 'x=print(1)') or dataclasses.dataclass(Derived)"
    ),
    "Enum._convert_": "getattr(enum.Enum, '_conv' + 'ert_')('F', 'os', lambda n: n == 'sys')",
    "shapes of a distribution": "st.rv_continuous(shapes=Shapes('a'), name='x')",
    "a hint in a library's globals": "typing.get_type_hints(Wrapped)",
    "a forward reference": "typing.get_type_hints(Hinted, {}, {'f': json.loads})",
    "query in a library's frame": "pd.Series(['@com']).map(pd.DataFrame({'a': [1]}).eval).iloc[0].flatten",
    "eval at a level": "pd.DataFrame({'a': [1]}).eval('@sys', level=-2)",
    "query of a built attribute": "pd.DataFrame({'a': [1]}).eval('@f.__glo' + 'bals__')",
    "query of a format": "pd.DataFrame({'a': [1]}).eval('@t.format(@f)')",
    "a formula at a depth": "smf.ols('a ~ sys.maxsize', {'a': [1.0, 2]}, eval_env=3).fit()",
    "a formula with getattr": "smf.ols('a ~ I(len(getattr(f, \"__glo\" + \"bals__\")))', {'a': [1.0, 2]}).fit()",
    "a method by its name": "pd.Series([1]).agg('__getattribute__', 0, '__di' + 'ct__')",
    "an accessor by its name": "pd.api.extensions.register_series_accessor('__array_interface__')(dict)",
    "a backend by its name": "plt.switch_backend('module://posix')",
    "a hook by its name": "plt.rcParams.update({'figure.hooks': ['json:loads']}) or plt.figure()",
    "a plotting backend by its name": "pd.Series([1]).plot(backend='matplotlib.pyplot')",
    "a style by its package": "plt.style.use('json.x')",
    "a distribution by its name": "st.kstest([1.0], 'np')",
    "runstring": "getattr(np.testing, 'run' + 'string')('1', {})",
    "a pickle": "np.load(io.BytesIO(PICKLE), allow_pickle=True)",
    "mmread": "getattr(sio, 'mm' + 'read')('/etc/passwd')",
    "a descriptor": "np.memmap(2)",
}
# What the control says that each of these must meet: where another layer refuses too,
# only its words show that it is there.
SAID = {
    "update_wrapper": "cannot be copied",
    "wraps, its function": "cannot be copied",
    "as_strided": "beyond the array",
    "a field's name changed": "must be an identifier",
    "Enum._convert_": "private",
    "a hint in a library's globals": "not defined",
    "query in a library's frame": "not defined",
    "eval at a level": "not defined",
    "a formula at a depth": "sys",
    "an accessor by its name": "public identifier",
    "a backend by its name": "may not be loaded by name",
    "a hook by its name": "may not be loaded by name",
    "a plotting backend by its name": "Could not find plotting backend",
    "a style by its package": "not a valid package style",
    "a distribution by its name": "not a distribution",
    "a pickle": "pickle.find_class is not available",
    "a method by its name": "special attribute",
}
PRELUDE = """
import contextlib, dataclasses, enum, functools, io, json, operator, string, types, typing, warnings
import numpy as np, pandas as pd, scipy.stats as st, scipy.io as sio, statsmodels.formula.api as smf, matplotlib.pyplot as plt
f, t = json.loads, '{0.__glo' + 'bals__}'
@dataclasses.dataclass
class Base:
    x: int
class Derived(Base): pass
class Shapes(str):
    def replace(self, *a): return self
    def split(self, *a): return ['a', 'b=print("ESC" + "APED")']
def Wrapped(x: 'codecs'): pass
Wrapped = functools.update_wrapper(Wrapped, json.loads, ('__name__',))
class Hinted:
    x: 'getattr(f, "__glo" + "bals__")'
PICKLE = (b'\\x93NUMPY\\x01\\x00v\\x00' + repr({'descr': '|O', 'fortran_order': False, 'shape': (1,)}).ljust(117).encode()
    + b'\\n' + b'cposix\\ngetpid\\n(tR.')
"""
WORKING = """
import contextlib, dataclasses, functools, io, operator, string, types, typing, warnings, logging
import numpy as np, pandas as pd, statsmodels.formula.api as smf, matplotlib.pyplot as plt, scipy.stats as st
assert operator.attrgetter('real', 'imag')(1j) == (0.0, 1.0) and operator.attrgetter('a.b')(types.SimpleNamespace(
    a=types.SimpleNamespace(b=2))) == 2
assert sorted('bA', key=operator.methodcaller('lower')) == ['A', 'b']
assert operator.methodcaller('format', 1)('{0}') == '1' and string.Formatter().format('{0.real:>3}|{a[k]}', 1, a={'k': 2}) == '  1|2'
@functools.wraps(len)
def g(x): return 1
assert g.__name__ == 'len' and g.__doc__
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter('always'); warnings.warn('w')
assert len(caught) == 1
with contextlib.redirect_stdout(io.StringIO()) as out: print('inside')
assert out.getvalue() == 'inside\\n'
assert np.lib.stride_tricks.as_strided(np.arange(4), (3, 2), (8, 8)).tolist() == [[0, 1], [1, 2], [2, 3]]
@dataclasses.dataclass(order=True)
class P:
    x: int
    y: 'list[int]' = dataclasses.field(default_factory=list)
assert typing.get_type_hints(P)['y'] == list[int]
class Own(st.rv_continuous):
    def _pdf(self, x, a): return a * np.exp(-a * x)
assert 0 < Own(a=0, shapes='a').cdf(1, 2) < 1
df = pd.DataFrame({'age': [50, 70, 80], 'y': [1.0, 2, 4], 'g': list('aba'), 'a': [1, 2, 3], 'b': [4, 5, 7]})
least = 60
def z(v): return v - v.mean()
def inside():
    most = 75
    return df.query('age > @least and age < @most and g.str.len() == 1')
assert len(inside()) == 1 and df.eval('c = a + b').c.sum() == 22 and pd.eval('df.a + df.b').sum() == 22
smf.ols('y ~ z(age) + C(g)', df).fit().predict(df.head(1))
smf.ols('y ~ np.log(age)', df, eval_env=0).fit()
df.groupby('g').agg({'a': ['mean', 'sum'], 'b': 'max'}); df.a.rolling(2).agg('mean'); df.agg(['min', 'max'])
plt.switch_backend('agg'); plt.style.use('ggplot'); plt.rcParams.update({'axes.grid': True}); df.plot(); df.a.plot(backend='matplotlib')
logging.basicConfig(format='{levelname} {message}', style='{'); logging.warning('seen')
"""
GADGET_IMPORTS = (
    "contextlib dataclasses enum functools io json logging operator string types typing warnings numpy pandas scipy.stats "
    "scipy.io statsmodels.formula.api matplotlib.pyplot"
).split()


class Gadgets(Case):
    def test_none_reaches_past_the_guard(self) -> None:
        lines = [PRELUDE, "got, said = [], {}"]
        for name, expression in GADGETS.items():
            note = f"except Exception as e: said[{name!r}] = str(e)"
            lines.append(f"try:\n    value = {expression}\n{note}\nelse: got.append({name!r})")
        run = self.completed("\n".join([*lines, "result = [got, said]"]), *GADGET_IMPORTS)
        got, said = run.report["result"]
        self.assertEqual(got, [])
        self.assertNotIn("ESCAPED", run.stdout)
        for name, words in SAID.items():
            with self.subTest(name):
                self.assertIn(words, said[name])

    def test_ordinary_use_goes_on_working(self) -> None:
        run = self.completed(WORKING + "\nNone", *GADGET_IMPORTS)
        self.assertIn("WARNING seen", run.stderr)


TRACEBACKS = """
import io, traceback
def inner(): raise KeyError("k")
def outer():
    try: inner()
    except KeyError as e: raise ValueError("v") from e
class Odd(Exception):
    def __str__(self): raise RuntimeError("no text")
try: outer()
except ValueError as e: texts = [traceback.format_exc(), traceback.format_exception(e), traceback.format_exception_only(e)]
file = io.StringIO()
try: raise Odd
except Odd: traceback.print_exc(file=file)
texts += [file.getvalue(), traceback.format_exc()]
texts
"""


class Tracebacks(Case):
    def test_they_tell_the_scripts_lines_and_the_chain(self) -> None:
        whole, lines, last, odd, none = self.completed(TRACEBACKS, "io", "traceback").report["result"]
        self.assertIn('line 3, in inner\n    def inner(): raise KeyError("k")\nKeyError: \'k\'\n\nThe above exception was', whole)
        self.assertTrue(whole.endswith("in outer\n    except KeyError as e: raise ValueError(\"v\") from e\nValueError: v\n"))
        self.assertEqual(("".join(lines), last), (whole, ["ValueError: v\n"]))
        self.assertTrue(odd.endswith("Odd: <exception str() failed>\n"))
        self.assertEqual(none, "NoneType: None\n")
        self.assertNotIn("hotcell_guard", whole + odd)

    def test_a_place_without_a_line_is_told(self) -> None:
        frame = sys._getframe()
        nowhere: Any = types.SimpleNamespace(tb_frame=frame, tb_lineno=None, tb_next=None)  # as of code that has no lines
        place = (frame.f_code.co_filename, 0, frame.f_code.co_name)
        self.assertEqual(_errors._raised_at(nowhere, frame.f_globals), [place])

    def test_a_traceback_that_is_given_tells_the_scripts_lines(self) -> None:
        code = (
            "import traceback\ndef f(): raise ValueError('v')\nclass C:\n    def __enter__(self): return self\n"
            "    def __exit__(self, kind, error, tb):\n        given.append(traceback.format_tb(tb))\n        return True\n"
            "given = []\nwith C(): f()\ntry: f()\nexcept ValueError as e:\n    tb = e.__traceback__\n"
            "    given += [traceback.format_tb(tb), traceback.format_exception(type(e), e, tb, limit=-1), tb.tb_lineno]\n"
            "    given.append([tuple(each) for each in traceback.extract_tb(tb, limit=1)])\n"
            "    told = traceback.TracebackException.from_exception(e)\n"
            "    given.append([str(told), told.stack[1].name, list(told.format())[1:], list(told.format_exception_only())])\n"
            "    given.append([repr(tb), getattr(e, '__traceback__', 1) is None, getattr(e, 'absent', tb) is tb, ValueError('n').__traceback__])\n"
            "    try: raise KeyError('k').with_traceback(tb)\n"
            "    except KeyError as k: given.append(traceback.format_exc(chain=False).count('File'))\n"
            "given"
        )
        inner = '  File "script.py", line 2, in f\n    def f(): raise ValueError(\'v\')\n'
        manager, trace, last, line, outer, told, plain, files = self.completed(code, "traceback").report["result"]
        self.assertEqual(manager, ['  File "script.py", line 9, in <module>\n    with C(): f()\n', inner])
        self.assertEqual(trace, ['  File "script.py", line 10, in <module>\n    try: f()\n', inner])
        self.assertEqual(last, [f"Traceback (most recent call last):\n{inner}", "ValueError: v\n"])
        self.assertEqual((line, outer), (10, [["script.py", 10, "<module>", "try: f()"]]))
        self.assertEqual(told, ["v", "f", ["ValueError: v\n"], ["ValueError: v\n"]])
        self.assertEqual((plain, files), (["<traceback object>", False, True, None], 1))

    def test_the_lines_of_libraries_and_what_they_hold_are_not_told(self) -> None:
        code = (
            "import json, io, traceback\ntry: json.loads('x')\nexcept ValueError as e:\n    f = io.StringIO()\n"
            "    traceback.print_tb(e.__traceback__, file=f)\n"
            "    told = traceback.TracebackException.from_exception(e, capture_locals=True)\n"
            "    traceback.print_list(told.stack, file=f)\n    f.write(''.join([*told.stack.format(), *told.format()]))\n"
            "    told.print(file=f)\nf.getvalue()"
        )
        text = self.completed(code, "json", "io", "traceback").report["result"]
        self.assertEqual((text.count("File"), text.count('File "script.py", line 2')), (5, 5))

    def test_no_descriptor_gives_a_traceback(self) -> None:
        for code in ("BaseException.__traceback__", "getattr(type('E', (Exception,), {}), '__traceback__')"):
            self.assertIn("only an exception has a '__traceback__'", self.raised(code))
        self.assertIn("a traceback is expected", self.raised("import traceback\ntraceback.format_tb(1)", "traceback"))

    def test_no_frame_of_an_object_that_looks_like_a_traceback(self) -> None:
        code = "import traceback\nclass A: tb_lineno = 1\ntraceback.format_exception(ValueError, ValueError('a'), A())"
        self.assertEqual(self.completed(code, "traceback").report["result"], ["ValueError: a\n"])

    def test_what_is_no_exception(self) -> None:
        self.assertIn("Exception expected", self.raised("import traceback\ntraceback.print_exception(1)", "traceback"))


class Codecs(Case):
    def test_open_is_the_runs_own(self) -> None:
        code = (
            "import codecs\nwith codecs.open(OUTPUT / 'a.txt', 'w', encoding='utf-16') as f: f.write('é\\n')\n"
            "with codecs.open(OUTPUT / 'a.txt', 'r', 'utf-16') as f: text = f.read()\n"
            "with codecs.open(OUTPUT / 'a.txt', 'rb') as f: text, f.read()[-2:] == b'\\n\\x00'"
        )
        self.assertEqual(self.completed(code + "\ntext", "codecs").report["result"], "é\n")
        self.assertIn("open() reads below DATA", self.raised("import codecs\ncodecs.open('/etc/passwd', 'r', 'utf-8')", "codecs"))
        self.assertIn("not a text encoding", self.raised("import codecs\ncodecs.open(OUTPUT / 'a', 'w', 'zip')", "codecs"))


class Literals(Case):
    def test_what_is_no_literal_is_an_error_as_in_python(self) -> None:
        code = (
            "import ast\nsaid = []\nfor text in ('f()', \"__import__('os')\", '().__class__', 'a', '1 +'):\n"
            "    try: said.append(ast.literal_eval(text))\n    except (ValueError, SyntaxError) as e: said.append(type(e).__name__)\n"
            "[said, ast.literal_eval('[1, {2: (3, None)}]')[0]]"
        )
        self.assertEqual(self.completed(code, "ast").report["result"], [[*["ValueError"] * 4, "SyntaxError"], 1])
