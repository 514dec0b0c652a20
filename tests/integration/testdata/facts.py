"""Tells in what state a script finds its process, one fact a line."""

import asyncio, atexit, decimal, gc, json, locale, logging, os, resource, signal, sys, threading, time, warnings
import matplotlib, numpy, openpyxl, pandas, plotly.io
import matplotlib.pyplot

CPU = time.process_time()
RECORD = logging.LogRecord("", 0, "", 0, "", (), None)
MAIN = threading.main_thread()

FACTS = {
    "argv": lambda: sys.argv,
    "path": lambda: sys.path,
    "flags": lambda: str(sys.flags),
    "executable": lambda: [sys.executable, sys.prefix, sys.base_prefix],
    "recursion limit": lambda: sys.getrecursionlimit(),
    "switch interval": lambda: sys.getswitchinterval(),
    "most digits": lambda: sys.get_int_max_str_digits(),
    "hash of a text": lambda: hash("a"),
    "hashing": lambda: str(sys.hash_info),
    "order of a set": lambda: list({"x", "y", "z", "alpha", "beta"}),
    "trace and profile": lambda: [str(sys.gettrace()), str(sys.getprofile())],
    "hooks": lambda: [sys.excepthook.__name__, sys.displayhook.__name__, threading.excepthook.__name__],
    "streams": lambda: [[type(each).__name__, each.encoding, each.errors] for each in (sys.stdout, sys.stderr)],
    "environment": lambda: dict(sorted(os.environ.items())),
    "directory": lambda: os.getcwd(),
    "ids": lambda: [os.getuid(), os.geteuid(), os.getgid(), os.getegid()],
    "nice": lambda: os.getpriority(os.PRIO_PROCESS, 0),
    "processors": lambda: [len(os.sched_getaffinity(0)), os.cpu_count()],
    "limits": lambda: {name: resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")},
    "signals": lambda: {str(each): str(signal.getsignal(each)) for each in signal.valid_signals()},
    "pid": lambda: [RECORD.process, os.getpid(), os.getppid()],
    "main thread": lambda: [MAIN is threading.current_thread(), MAIN.ident == threading.get_ident(), MAIN.native_id == os.getpid(), threading.active_count()],
    "its clocks begin with it": lambda: [CPU < 60, time.thread_time() < 60],
    "loggers": lambda: [logging.root.level, len(logging.root.handlers), logging.lastResort.level, logging.root.manager.disable],
    "collector": lambda: [gc.isenabled(), gc.get_threshold(), gc.get_debug(), gc.callbacks],
    "at exit": lambda: atexit._ncallbacks(),
    "warnings": lambda: [str(each) for each in warnings.filters],
    "locale": lambda: [locale.setlocale(locale.LC_ALL), time.tzname],
    "decimal": lambda: str(decimal.getcontext()),
    "event loop": lambda: str(asyncio._get_running_loop()),
    "numpy": lambda: [numpy.geterr(), {name: str(value) for name, value in numpy.get_printoptions().items()}],
    "pandas": lambda: {name: str(pandas.get_option(name)) for name in sorted(pandas._config.config._registered_options)},
    "matplotlib": lambda: [sorted((name, str(value)) for name, value in matplotlib.rcParams.items()), matplotlib.get_backend()],
    "pyplot": lambda: [matplotlib.pyplot.get_fignums(), matplotlib.is_interactive()],
    "plotly": lambda: [str(plotly.io.templates.default), str(plotly.io.renderers.default)],
}
for name, fact in FACTS.items():
    try:
        found = fact()
    except OSError as error:  # seccomp denies the call
        found = str(error)
    print(json.dumps([name, found], default=str))
atexit.register(print, "never")
