"""The sentences that tell what works instead, as frozen data.

Each names what it needs: a sentence that advises a module is told only where the policy
allows that module, so nobody is sent from one refusal to the next. The one table of
packages is here, also for what libraries would have installed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

    Choices = tuple[tuple[str, str], ...]  # the module that a sentence needs, or "", and the sentence

__all__ = ["ATTRIBUTES", "BUILTINS", "COLUMNS", "DATA", "INPUTS", "MARKS", "NAMES", "PACKAGES", "REFUSED", "TEXTS", "UNKNOWN"]

_FILES: Final = "DATA and OUTPUT are paths already: DATA / 'in.csv', DATA.glob('*.csv'), open(OUTPUT / 'out.txt', 'w')"
DATA: Final = "data is below DATA"
"""Of a run whose data is a bundle. Elsewhere it is said where the request's inputs are."""
_NETWORK: Final = f"there is no network; {DATA}"
_PROGRAMS: Final = "no other program can be started; write it in Python"
_THREADS: Final = "no other process can be started; use concurrent.futures.ThreadPoolExecutor"
_SQL: Final = (
    "there is no SQL database here; load the tables with pandas, and use merge() for JOIN, groupby() for GROUP BY "
    "and query() for WHERE"
)
_PICKLES: Final = "objects are not pickled here; write tables with DataFrame.to_csv and values with json.dump"
_MODELS: Final = (
    ("sklearn", "fit models with sklearn (HistGradientBoostingClassifier for boosted trees) or statsmodels"),
    ("statsmodels.api", "fit models with statsmodels (sm.OLS, sm.Logit, sm.GLM) or write them with numpy and scipy"),
    ("scipy", "write the model with numpy and scipy"),
    ("numpy", "write the model with numpy"),
)
_DRAWINGS: Final = (("matplotlib.pyplot", "draw with matplotlib.pyplot"), ("plotly.express", "draw with plotly.express"))
_SURVIVAL: Final = (
    (
        "statsmodels.duration.survfunc",
        "Kaplan-Meier: SurvfuncRight and survdiff of statsmodels.duration.survfunc; Cox: PHReg of "
        "statsmodels.duration.hazard_regression",
    ),
    *_MODELS,
)
_FRAMES: Final = (("pandas", "use pandas"),)
_WORKBOOKS: Final = (
    ("openpyxl", "write and read workbooks with openpyxl, or with DataFrame.to_excel and pandas.read_excel"),
    ("pandas", "write CSV with DataFrame.to_csv and read CSV with pandas.read_csv"),
)
_TEXTS: Final = (("re", "use str methods and re"),)
_DISPLAY: Final = "use print(), or make the value the script's last expression"
_MARKUP: Final = (
    ("pandas", "pandas.read_html takes tables from a page; take other markup apart with re"),
    ("re", "take markup apart with re"),
)


def _rows(*rows: tuple[str, str | Choices]) -> Mapping[str, Choices]:
    """Give each of the names in a row its sentences; a sentence alone needs nothing."""
    found: dict[str, Choices] = {}
    for names, said in rows:
        found.update(dict.fromkeys(names.split(), (("", said),) if isinstance(said, str) else said))
    return found


PACKAGES: Final[Mapping[str, Choices]] = _rows(
    ("os pathlib glob shutil tempfile fileinput fsspec s3fs smart_open", _FILES),
    (
        "socket ssl requests urllib urllib3 http httpx aiohttp ftplib smtplib websocket websockets paramiko boto3 botocore "
        "yfinance pandas_datareader selenium scrapy openai anthropic kaggle wget gdown datasets transformers huggingface_hub",
        _NETWORK,
    ),
    ("subprocess pty pexpect", _PROGRAMS),
    ("multiprocessing", (("concurrent.futures", _THREADS), ("", _PROGRAMS))),
    ("networkx.drawing.nx_agraph networkx.drawing.nx_pydot", "graphviz cannot be started; nx.draw draws"),
    ("tarfile", (("zipfile", "make archives with zipfile"), ("", "write the files themselves"))),
    ("linecache", "read the file's lines: Path(name).read_text().splitlines()"),
    ("filecmp", "compare what the files hold: Path(a).read_bytes() == Path(b).read_bytes()"),
    ("logging.handlers", "logging.FileHandler and logging.StreamHandler write logs"),
    ("logging.config", "logging.basicConfig and the methods of loggers set logs up"),
    ("xml.sax", (("xml.etree.ElementTree", "use xml.etree.ElementTree.iterparse"), ("", "take markup apart with re"))),
    ("unittest.mock", "write a small class or function of your own in its place"),
    ("getpass", "there is nobody to ask; put the value into the script"),
    ("email mailbox", "no message can be sent; write its text with f-strings"),
    ("pickle shelve marshal dill cloudpickle", _PICKLES),
    ("joblib", "call the function in a loop; write tables with DataFrame.to_csv"),
    ("sqlite3 duckdb sqlalchemy psycopg2 pymysql pyodbc pandasql dbm google.cloud.bigquery snowflake", _SQL),
    (
        "sklearn xgboost lightgbm catboost pingouin torch tensorflow keras jax linearmodels scikit_posthocs "
        "imblearn pymc arviz prophet pmdarima umap hdbscan shap optuna econml dowhy causalinference",
        _MODELS,
    ),
    ("lifelines sksurv", _SURVIVAL),
    ("statsmodels", (("scipy", "write the model with numpy and scipy"), ("numpy", "write the model with numpy"))),
    ("plotly.offline", "figures are collected as data: make the figure the result, or leave it open"),
    ("seaborn bokeh altair plotnine holoviews hvplot pygal ggplot folium kaleido wordcloud missingno", _DRAWINGS),
    ("polars dask pyspark modin vaex cudf geopandas swifter pandas_profiling ydata_profiling pyjanitor janitor", _FRAMES),
    ("openpyxl xlsxwriter xlrd odfpy odf pyxlsb xlwt", _WORKBOOKS),
    (
        "pyarrow fastparquet tables pytables h5py feather netCDF4 xarray zarr pyreadstat",
        (("pandas", "write CSV with DataFrame.to_csv; a Parquet table of the data is a DataFrame by its name already"),),
    ),
    ("tabulate prettytable rich", (("pandas", "print(df.to_string()) shows a table"), ("", "print the rows with f-strings"))),
    ("jinja2 Jinja2", (("pandas", "write text with f-strings; df.style and df.to_html() make tables"),)),
    ("lxml html5lib bs4", _MARKUP),
    ("nltk spacy textblob gensim sentence_transformers", _TEXTS),
    ("cv2 skimage imageio", (("matplotlib.pyplot", "read PNG with plt.imread and compute with numpy"),)),
    ("numba cython numexpr bottleneck", (("numpy", "write the loop with numpy's whole-array functions"),)),
    ("networkx igraph", (("scipy.sparse", "use scipy.sparse.csgraph"), ("", "keep edges in dicts and lists"))),
    ("sympy", (("numpy", "compute with numbers: numpy, scipy.optimize"),)),
    ("IPython ipywidgets", _DISPLAY),
    ("google", "this is no notebook in the cloud; data is below DATA"),
    ("streamlit dash gradio flask fastapi panel", "there is no server; print, or write files below OUTPUT"),
    ("tkinter PyQt5 PySide6 turtle pygame webbrowser", "there is no screen; figures that are open at the end are kept"),
    ("sys", "raise SystemExit ends the run; print() writes"),
    ("io", "open() reads and writes files; pandas.read_csv takes a path"),
    ("logging loguru", "use print()"),
    ("traceback pdb ipdb", "let the exception end the run; its traceback is reported"),
    ("tqdm alive_progress progressbar", "loop without it"),
    ("argparse click typer dotenv optparse", "put the values into the script"),
    ("copy", "use the copy() method of the object"),
    ("csv", (("pandas", "use pandas.read_csv and DataFrame.to_csv"), ("", "split the lines of the file"))),
    ("importlib pkgutil", "write an import statement; in try: with except ImportError: it may fail"),
    ("gc psutil resource tracemalloc memory_profiler", "memory is bounded from outside; del what is large and is not needed"),
    ("signal", "the run's time is bounded from outside; leave it out"),
    ("threading asyncio queue", "call the functions one after the other"),
    ("platform", "the result must not depend on the machine; leave it out"),
    ("inspect dis", "leave it out; see dir(object) and object.__doc__"),
    ("ctypes cffi", "native code is not available; use numpy"),
    ("timeit cProfile profile pstats", (("time", "measure with time.perf_counter()"), ("", "leave it out"))),
    ("unittest pytest doctest nose", (("unittest", "write a unittest.TestCase, or assert"), ("", "write assert statements"))),
    ("pip setuptools", "nothing can be installed; use the packages that are here"),
    ("matplotlib.pyplot", (("plotly.express", "draw with plotly.express"),)),
    ("matplotlib.cbook", "read the data from DATA instead of matplotlib's sample data"),
)
"""By the first part of a module's name, or by the whole one."""

_OF_SQL: Final = dict.fromkeys(("read_sql", "read_sql_query", "read_sql_table"), _SQL)
_OF_PICKLES: Final = dict.fromkeys(
    ("read_pickle", "to_pickle", "load_pickle", "save_pickle", "unpickle", "Unpickler", "Pickler"), _PICKLES
)
_OF_PROGRAMS: Final = dict.fromkeys("popen Popen popen2 check_output check_call getoutput fork startfile".split(), _PROGRAMS)
_CLIPBOARD: Final = "there is no clipboard; write to_csv(OUTPUT / 'out.csv'), or print(df.to_string())"
_IMPORT: Final = "write an import statement; in try: with except ImportError: it may fail"
_KINDS: Final = "ask isinstance() or issubclass()"

ATTRIBUTES: Final[Mapping[str, str]] = {
    **_OF_SQL,
    **_OF_PICKLES,
    **_OF_PROGRAMS,
    **dict.fromkeys(("read_clipboard", "to_clipboard"), _CLIPBOARD),
    **dict.fromkeys(("urlopen", "urlretrieve"), _NETWORK),
    **dict.fromkeys(("import_module", "find_spec", "exec_module", "load_module"), _IMPORT),
    **dict.fromkeys(("__base__", "__instancecheck__", "__subclasscheck__", "__subclasshook__"), _KINDS),
    **dict.fromkeys(
        ("__reduce__", "__reduce_ex__", "__getnewargs__"),
        "objects are not pickled here; copy.copy and copy.deepcopy ask __getstate__, __copy__ and __deepcopy__",
    ),
    "__getattribute__": "define __getattr__, which is asked for what is missing, or a property",
    "__prepare__": "leave it out; a class body's names are kept in their order",
    **dict.fromkeys(("__globals__", "__builtins__", "__code__", "__closure__"), "name the variable or call the function itself"),
    **dict.fromkeys(("__spec__", "__loader__", "__path__", "__file__"), "a module here has its public names and __version__"),
    "__self__": "keep the object in a variable",
}
"""What to do instead of reading an attribute, by its name."""

COLUMNS: Final = frozenset(_OF_SQL | _OF_PICKLES) | {"read_clipboard", "to_clipboard", "import_module"}
"""Of these, which nobody calls a column."""

BUILTINS: Final[Mapping[str, str]] = {
    "eval": "write the expression itself; for data use json.loads or ast.literal_eval",
    "exec": "write the statements themselves",
    "compile": "write the code itself",
    "globals": "name the variable itself",
    "locals": "name the variable itself",
    "__import__": "write an import statement",
    "breakpoint": "print the values that you want to see",
    "help": "see dir(object) and object.__doc__",
}

_OF_THE_SYSTEM: Final = "a run has a process of its own and no other; leave it out"
_NO_LINKS: Final = "no link can be made; copy the file with shutil.copy"
_NO_MODES: Final = "modes and owners of files cannot be changed; leave it out"
_DESCRIPTORS: Final = "files have no numbers here; use open() and the methods of its file"
_NO_MACHINE: Final = "the result must not depend on the machine; leave it out"
_NO_DOWNLOADS: Final = "it downloads its data, and there is no network; read a table from DATA, or make one"
_VERSIONS: Final = "print the module's __version__"
_STYLES: Final = "the styles are called 'seaborn-v0_8', 'seaborn-v0_8-whitegrid' and so on; see plt.style.available"
_NO_FRAMES: Final = "frames, sources and modules are not shown; print the values that you need"

REFUSED: Final[Mapping[str, Mapping[str, str]]] = {
    "os": {
        **dict.fromkeys(
            "system popen execl execle execlp execv execve execvp spawnl spawnv fork forkpty posix_spawn posix_spawnp "
            "startfile".split(),
            _PROGRAMS,
        ),
        **dict.fromkeys(
            "getpid getppid getuid geteuid getgid getegid getlogin getgroups uname getpgid kill killpg nice times "
            "getloadavg wait waitpid abort umask sched_getaffinity".split(),
            _OF_THE_SYSTEM,
        ),
        **dict.fromkeys("symlink link readlink".split(), _NO_LINKS),
        **dict.fromkeys("chmod chown lchmod lchown utime".split(), _NO_MODES),
        **dict.fromkeys("open read write dup dup2 pipe fsync lseek fstat ftruncate isatty".split(), _DESCRIPTORS),
        "chdir": "the working directory is OUTPUT; write os.path.join(OUTPUT, name)",
        "fchdir": "the working directory is OUTPUT; write os.path.join(OUTPUT, name)",
        "putenv": "set os.environ[name]; libraries have read their environment already",
        "unsetenv": "delete os.environ[name]; libraries have read their environment already",
        "_exit": "raise SystemExit, or call sys.exit()",
        "removedirs": "use shutil.rmtree(path)",
        "truncate": "open the file with mode 'w'",
    },
    "sys": {
        "executable": _PROGRAMS,
        "settrace": _NO_FRAMES,
        "setprofile": _NO_FRAMES,
        "_getframe": _NO_FRAMES,
        "getrefcount": "it says nothing about a script; leave it out",
        "displayhook": "make the value the script's last expression",
    },
    "shutil": {
        "disk_usage": "the policy says how much can be written (limits.output_bytes and limits.scratch)",
        "which": _PROGRAMS,
        "chown": _NO_MODES,
        "copymode": _NO_MODES,
        "copystat": _NO_MODES,
    },
    "asyncio": {
        **dict.fromkeys("create_subprocess_exec create_subprocess_shell subprocess".split(), _PROGRAMS),
        **dict.fromkeys(
            "open_connection open_unix_connection start_server start_unix_server StreamReader StreamWriter".split(),
            "there is no network",
        ),
    },
    "joblib": {
        **dict.fromkeys(("dump", "load"), _PICKLES),
        "Memory": "nothing is kept between runs; call the function itself",
        "parallel_backend": "jobs run in threads here; leave it out",
    },
    "argparse": {"FileType": "it opens files by itself; take the path as text, and open() it"},
    "concurrent.futures": {"ProcessPoolExecutor": "no other process can be started; use ThreadPoolExecutor"},
    "contextlib": {"chdir": "the working directory is OUTPUT; write os.path.join(OUTPUT, name)"},
    "doctest": dict.fromkeys(("DocTestRunner", "DocTestFinder", "DocTestParser", "testfile"), "use doctest.testmod()"),
    "io": dict.fromkeys(
        "FileIO BufferedReader BufferedWriter BufferedRandom BufferedRWPair open_code".split(), "open() gives such files"
    ),
    "matplotlib.animation": dict.fromkeys(
        "PillowWriter FFMpegWriter FFMpegFileWriter ImageMagickWriter ImageMagickFileWriter HTMLWriter".split(),
        "there is no writer of animations; save single figures with plt.savefig",
    ),
    "pandas": {"show_versions": _VERSIONS, "test": "leave it out"},
    "platform": dict.fromkeys(
        ("freedesktop_os_release", "libc_ver"),
        _NO_MACHINE,
    ),
    "seaborn": {
        **dict.fromkeys(("load_dataset", "get_dataset_names", "get_data_home"), _NO_DOWNLOADS),
        **dict.fromkeys(
            "choose_colorbrewer_palette choose_cubehelix_palette choose_dark_palette choose_light_palette "
            "choose_diverging_palette".split(),
            "it needs a notebook; name the palette, as in color_palette('husl')",
        ),
    },
    "sklearn": {"show_versions": _VERSIONS},
    "sklearn.datasets": dict.fromkeys(
        "fetch_20newsgroups fetch_20newsgroups_vectorized fetch_lfw_pairs fetch_lfw_people fetch_olivetti_faces "
        "fetch_species_distributions fetch_california_housing fetch_covtype fetch_rcv1 fetch_kddcup99 fetch_openml fetch_file "
        "get_data_home clear_data_home".split(),
        f"{_NO_DOWNLOADS} with load_iris, load_diabetes or make_classification",
    ),
    "statsmodels.api": {**dict.fromkeys(("load", "load_pickle"), _PICKLES), "show_versions": _VERSIONS, "webdoc": _NETWORK},
    "statsmodels.datasets": dict.fromkeys("webuse check_internet get_data_home clear_data_home".split(), _NO_DOWNLOADS),
    "statsmodels.iolib": dict.fromkeys(("save_pickle", "load_pickle"), _PICKLES),
    "tqdm": dict.fromkeys("tqdm_notebook tnrange tqdm_gui tgrange tqdm_pandas".split(), "write 'from tqdm import tqdm'"),
    "traceback": dict.fromkeys("print_stack format_stack extract_stack walk_stack walk_tb print_last".split(), _NO_FRAMES),
    "unittest": {"mock": "write a small class or function of your own in its place"},
    "email.utils": {"make_msgid": "its value depends on the machine; write the header yourself"},
    "uuid": {"getnode": _NO_MACHINE},
    "zipfile": {"Path": "open the archive with ZipFile, and its members by their names", "PyZipFile": "use ZipFile"},
    "signal": dict.fromkeys(
        "alarm setitimer getitimer siginterrupt pause sigwait pthread_kill pthread_sigmask set_wakeup_fd".split(),
        "the run's time is bounded from outside, a session's step by its own timeout; leave it out",
    ),
    "tempfile": {"mktemp": "use tempfile.mkstemp() or tempfile.NamedTemporaryFile()"},
    "inspect": dict.fromkeys(
        "getsource getsourcelines getsourcefile getfile getmodule getcomments stack trace currentframe getframeinfo "
        "getouterframes getinnerframes getclosurevars getmembers_static getattr_static unwrap getmro".split(),
        _NO_FRAMES,
    ),
}
"""What modules lack here, the guard's own and libraries', and what to do instead."""

INPUTS: Final[Mapping[str, str]] = {
    "none": "put the value into the script",
    "data": "the request's inputs are in the dict data",
    "context": "the request's inputs are in context.inputs",
    "names": "each of the request's inputs is a variable of its own name",
}
"""Where the script finds what a person would be asked for, by the policy's inputs."""

MARKS: Final[Mapping[str, str]] = {
    "```": "Markdown is not Python; remove the lines with ```",
    "%": "a line that begins with % is a notebook's command; remove it",
    "!": "a line that begins with ! is a shell command; remove it",
    "?": "a line that begins with ? asks a notebook for help; remove it",
    ">>>": "remove the prompts >>> and what was answered",
    "pip ": "nothing can be installed; use the packages that are here",
    "conda ": "nothing can be installed; use the packages that are here",
}
"""What a line is that is no Python, by what it begins with."""

NAMES: Final[Mapping[str, str]] = {
    "pd": "pandas as pd",
    "np": "numpy as np",
    "plt": "matplotlib.pyplot as plt",
    "mpl": "matplotlib as mpl",
    "sm": "statsmodels.api as sm",
    "smf": "statsmodels.formula.api as smf",
    "px": "plotly.express as px",
    "go": "plotly.graph_objects as go",
    "sns": "seaborn as sns",
    "pandas": "pandas",
    "numpy": "numpy",
    "scipy": "scipy",
    "matplotlib": "matplotlib",
    "statsmodels": "statsmodels",
    "plotly": "plotly",
    "math": "math",
    "json": "json",
    "re": "re",
    "random": "random",
    "statistics": "statistics",
    "itertools": "itertools",
    "functools": "functools",
    "collections": "collections",
    "datetime": "datetime",
    "time": "time",
    "warnings": "warnings",
    "os": "os",
    "sys": "sys",
    "io": "io",
}
"""Names that scripts use without their import: what follows the word ``import``."""

UNKNOWN: Final[Mapping[str, str]] = {
    "display": _DISPLAY,
    "get_ipython": "this is no notebook; remove it",
    "spark": "there is no Spark; use pandas",
    "dbutils": "this is no notebook; data is below DATA",
    "unicode": "write str",
    "xrange": "write range",
    "raw_input": "there is nobody to ask; put the value into the script",
    "reduce": "write 'from functools import reduce' first",
    "defaultdict": "write 'from collections import defaultdict' first",
    "Counter": "write 'from collections import Counter' first",
    "Path": "DATA and OUTPUT are paths already",
    "null": "write None",
    "true": "write True",
    "false": "write False",
}
"""Names that are nowhere defined and that scripts use: what to write instead."""

TEXTS: Final[Mapping[str, str]] = {
    "'seaborn' is not a valid": _STYLES,
    "'seaborn-": _STYLES,
    "is not a valid package style": "see plt.style.available",
    "matplotlib.backends.backend_": "there is no screen: leave matplotlib.use() out; figures that are open at the end are kept",
    "interactive framework": "there is no screen: leave matplotlib.use() out; figures that are open at the end are kept",
    "_sqlite3": _SQL,
    "lxml not found": "write parser='etree'",
    "kaleido": "plotly figures are collected as data; leave the figure open, or make it the result",
}
"""What to do about an error, by words of a library's."""
