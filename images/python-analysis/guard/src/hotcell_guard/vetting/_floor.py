"""What no script imports whatever a policy lists, and the little below it that it may list."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = ["DENIED_IMPORTS", "DENIED_SUBMODULES", "IMPORT_EXCEPTIONS", "IMPORT_STAND_INS", "import_is_floor"]

DENIED_IMPORTS: Final = frozenset(
    """
    atexit os posix nt sys builtins importlib imp runpy pkgutil zipimport site sysconfig
    subprocess multiprocessing pty tty termios signal resource fcntl mmap select selectors
    ctypes cffi code codeop inspect gc dis pdb bdb trace tracemalloc timeit doctest faulthandler
    profile cProfile pstats linecache symtable py_compile compileall
    pickle pickletools marshal shelve copyreg dbm sqlite3 dill cloudpickle joblib
    socket socketserver ssl http urllib ftplib smtplib poplib imaplib telnetlib nntplib xmlrpc
    webbrowser wsgiref asyncore asynchat
    shutil tempfile glob getpass fileinput
    pip ensurepip venv setuptools distutils pkg_resources pydoc idlelib turtle tkinter
    antigravity this hotcell_guard
    """.split()
)
"""First parts of module names that are refused whatever the policy lists."""

IMPORT_EXCEPTIONS: Final = frozenset(
    """
    http http.cookies os.path urllib.parse matplotlib.backends.backend_agg matplotlib.backends.backend_pdf
    statsmodels.sandbox.regression.gmm statsmodels.sandbox.regression.predstd statsmodels.sandbox.stats.multicomp
    statsmodels.sandbox.stats.runs statsmodels.compat xml.sax.saxutils
    """.split()
)
"""Harmless submodules of refused ones; a policy must still list them."""

IMPORT_STAND_INS: Final = frozenset(
    "atexit builtins doctest gc getpass glob importlib importlib.metadata importlib.util inspect joblib os shutil signal "
    "sqlite3 sys tempfile timeit tracemalloc".split()
)
"""Refused modules that a policy may list: a script then gets modules of the guard's own in
their place (``granting._standins``). Nothing of Python's is shown, here or where a library
re-exports it."""

DENIED_SUBMODULES: Final = frozenset(
    """
    numpy.f2py numpy.distutils numpy.ctypeslib numpy.core numpy.testing.overrides numpy.lib.npyio numpy.lib.format
    numpy.lib.introspect numpy.lib.user_array numpy.lib.utils numpy.compat numpy.conftest
    scipy.weave scipy.conftest scipy.LowLevelCallable scipy.datasets scipy.misc
    pandas.io.pickle pandas.io.sql pandas.io.pytables pandas.io.clipboard pandas.io.clipboards pandas.io.gbq
    pandas.io.common pandas.io.parsers.readers pandas.compat pandas.conftest pandas.core.computation
    statsmodels.sandbox statsmodels.compat statsmodels.conftest statsmodels.tools.print_version
    statsmodels.tools.testing pandas.api.interchange statsmodels.iolib.smpickle statsmodels.datasets.utils
    matplotlib.backends matplotlib.testing matplotlib.sphinxext matplotlib.texmanager
    matplotlib.dviread matplotlib.tests
    plotly.io.orca plotly.io.kaleido plotly.io.base_renderers plotly.matplotlylib plotly.conftest
    concurrent.futures.process concurrent.futures.thread json.tool logging.config logging.handlers
    importlib.resources xml.sax requests.packages requests.adapters requests.compat
    """.split()
)
"""Modules that start programs, load native code, unpickle, download or run code, and
all below them. No policy can allow them; their roots may be allowed."""

_SUBMODULE_ROOTS: Final = frozenset(name.partition(".")[0] for name in DENIED_SUBMODULES)


def import_is_floor(name: str) -> bool:
    """Tell whether no policy can allow this dotted name."""
    if name in IMPORT_EXCEPTIONS or name in IMPORT_STAND_INS:
        return False
    root = name.partition(".")[0]
    if root in DENIED_IMPORTS or "._" in name or (name.startswith("_") and name != "__future__"):
        return True
    while root in _SUBMODULE_ROOTS and name:
        if name in DENIED_SUBMODULES:
            return True
        name = name.rpartition(".")[0]
    return False
