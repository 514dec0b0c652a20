"""What scikit-learn asks joblib for, in the same process and one call after the other.

In place of Debian's joblib, which starts processes, pickles what it hands them, keeps
results in files and calls C by ctypes. A sandbox has one processor.
"""

import functools
import time

__all__ = [
    "Logger",
    "Memory",
    "Parallel",
    "cpu_count",
    "delayed",
    "dump",
    "effective_n_jobs",
    "hash",
    "load",
    "logger",
    "parallel_backend",
    "parallel_config",
    "register_parallel_backend",
]
__version__ = "1.4.2"


def cpu_count(only_physical_cores=False):
    """Return the number of processors that work is shared among."""
    return 1


def effective_n_jobs(n_jobs=-1):
    """Return how many jobs run at the same time."""
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 in Parallel has no meaning")
    return 1


def delayed(function):
    """Return what notes down the arguments of a call."""

    @functools.wraps(function)
    def note(*args, **kwargs):
        return function, args, kwargs

    return note


class Parallel:
    """Makes calls one after the other. Options are taken and change nothing."""

    def __init__(self, n_jobs=None, backend=None, return_as="list", verbose=0, **options):
        if return_as not in ("list", "generator", "generator_unordered"):
            raise ValueError(f"return_as is 'list' or 'generator', not {return_as!r}")
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.return_generator = return_as != "list"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def __call__(self, iterable):
        """Return the result of each call of the iterable."""
        results = (function(*args, **kwargs) for function, args, kwargs in iterable)
        return results if self.return_generator else list(results)


class parallel_config:  # noqa: N801
    """A context in which calls are made as outside of it."""

    def __init__(self, backend=None, **options):
        self.backend = backend

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def unregister(self):
        """End the context."""


parallel_backend = parallel_config


def register_parallel_backend(name, factory, make_default=False):
    """Refuse: there are no other ways to make calls."""
    raise PermissionError("this image runs everything in one process; there are no backends to register")


class Memory:
    """Without a location it calls through; with one it is refused, for it would keep pickles in files."""

    def __init__(self, location=None, *args, verbose=1, **options):
        if location is not None:
            raise PermissionError("results are not kept in files here (they would be pickles): leave memory= out")
        self.location = None

    def cache(self, func=None, *args, **options):
        """Return the function."""
        return self.cache if func is None else func

    def clear(self, warn=True):
        """Forget nothing: nothing is kept."""


def _refused(*args, **options):
    raise PermissionError("objects are not pickled here; write tables with DataFrame.to_csv and values with json.dump")


dump = load = hash = _refused  # noqa: A001


class Logger:
    """Base class for printing what goes on."""

    def __init__(self, depth=3, name=None):
        self.depth = depth


class logger:  # noqa: N801
    """The functions of joblib's module of that name."""

    Logger = Logger

    @staticmethod
    def short_format_time(t):
        """Return a time in seconds or minutes, as a text."""
        return f"{t / 60:4.1f}min" if t > 60 else f" {t:5.1f}s"

    @staticmethod
    def format_time(t):
        """Return a time in seconds and minutes, as a text."""
        return f"{t:.1f}s, {t / 60:.1f}min"

    time = staticmethod(time.time)
