"""While a library is imported, nothing that a script has left for others to call runs."""

from __future__ import annotations

import contextlib
import gc
import importlib
import logging
import sys
import tempfile
import unittest
from pathlib import Path

from hotcell_guard import _importing

LOUD = """
import gc, logging, sys
print("loud")
sys.stderr.write("loud")
logging.getLogger("loud").critical("loud")
collecting, streams = gc.isenabled(), (sys.stdout, sys.stderr)
"""


class Heard(list[str]):
    def write(self, text: str) -> None:
        self.append(text)

    def flush(self) -> None:
        pass


class Quiet(unittest.TestCase):
    def setUp(self) -> None:
        directory = self.enterContext(tempfile.TemporaryDirectory())
        (Path(directory) / "loud_module.py").write_text(LOUD)
        self.enterContext(_path(directory))
        bootstrap = sys.modules["_frozen_importlib"]
        self.addCleanup(setattr, bootstrap, "_find_and_load", bootstrap._find_and_load)
        self.addCleanup(sys.modules.pop, "loud_module", None)
        self.heard = Heard()

    def load(self) -> object:
        handler = logging.Handler()
        handler.emit = lambda record: self.heard.append(record.getMessage())  # type: ignore[method-assign]
        logging.getLogger("loud").addHandler(handler)
        self.addCleanup(logging.getLogger("loud").removeHandler, handler)
        with contextlib.redirect_stdout(self.heard), contextlib.redirect_stderr(self.heard):  # type: ignore[type-var]
            return importlib.__import__("loud_module")

    def test_an_import_as_python_does_it_calls_what_was_left(self) -> None:
        self.load()
        self.assertIn("loud", self.heard)

    def test_a_quiet_import_calls_nothing(self) -> None:
        _importing.be_quiet()
        loaded = self.load()
        self.assertEqual([], self.heard)
        self.assertFalse(loaded.collecting)  # type: ignore[attr-defined]
        self.assertEqual((sys.__stdout__, sys.__stderr__), loaded.streams)  # type: ignore[attr-defined]

    def test_all_is_as_before_afterwards_also_when_it_fails(self) -> None:
        _importing.be_quiet()
        logging.disable(logging.DEBUG)
        self.addCleanup(logging.disable, logging.NOTSET)
        streams, collecting = (sys.stdout, sys.stderr), gc.isenabled()
        self.load()
        self.assertRaises(ImportError, importlib.__import__, "no_such_module_at_all")
        self.assertEqual((streams, collecting), ((sys.stdout, sys.stderr), gc.isenabled()))
        self.assertEqual(logging.DEBUG, logging.root.manager.disable)


@contextlib.contextmanager
def _path(directory: str):  # type: ignore[no-untyped-def]
    sys.path.insert(0, directory)
    try:
        yield
    finally:
        sys.path.remove(directory)
