"""What a library may do while it is loaded, and when it is changed."""

from __future__ import annotations

import contextlib
import importlib
import importlib.machinery
import sys
import tempfile
import threading
import types
import unittest
from pathlib import Path

from hotcell_guard.libraries import _importing
from tests.host import Host

ASKS = """
import threading
from hotcell_guard.libraries._importing import is_loading, is_loading_module
class Made: pass
def made(): pass
own = is_loading(Made), is_loading(made), is_loading(__import__("sys").modules[__name__]), is_loading_module(__name__)
others = is_loading(threading.Thread), is_loading(threading.settrace), is_loading(threading), is_loading_module("threading")
neither = is_loading(Made()), is_loading(3), is_loading_module(3), is_loading_module("no_such_module")
"""


class Importing(unittest.TestCase):
    def setUp(self) -> None:
        directory = self.enterContext(tempfile.TemporaryDirectory())
        (Path(directory) / "asking_module.py").write_text(ASKS)
        self.enterContext(_path(directory))
        self.addCleanup(sys.modules.pop, "asking_module", None)
        self.addCleanup(_importing._begun.clear)

    def test_before_a_script_begins_everything_is_trusted(self) -> None:
        asked = importlib.import_module("asking_module")
        self.assertFalse(_importing.has_begun())
        self.assertEqual({True}, {*asked.own, *asked.others, *asked.neither})

    def test_from_then_on_a_module_may_change_what_is_its_own_while_it_is_executed(self) -> None:
        _importing.begin()
        asked = importlib.import_module("asking_module")
        self.assertTrue(_importing.has_begun())
        self.assertEqual({True}, {*asked.own})
        self.assertEqual({False}, {*asked.others, *asked.neither})
        self.assertFalse(_importing.is_loading(asked.Made) or _importing.is_loading(asked))

    def test_a_view_is_not_the_module_that_it_is_called_after(self) -> None:
        _importing.begin()
        module = types.ModuleType("asking_module")
        module.__spec__ = types.SimpleNamespace(_initializing=True)  # type: ignore[assignment]
        sys.modules["asking_module"] = module
        self.assertTrue(_importing.is_loading(module))
        self.assertFalse(_importing.is_loading(types.ModuleType("asking_module")))

    def test_a_package_that_is_executed_may_change_what_is_below_it(self) -> None:
        _importing.begin()
        for name, executed in (("asked", True), ("asked.below", False), ("other", False)):
            sys.modules[name] = module = types.ModuleType(name)
            self.addCleanup(sys.modules.pop, name)
            module.__spec__ = types.SimpleNamespace(_initializing=executed)  # type: ignore[assignment]
        self.assertTrue(_importing.is_loading_module("asked.below"))
        self.assertFalse(_importing.is_loading_module("other") or _importing.is_loading_module("askedbelow"))

    def test_without_a_lock_libraries_are_loaded_before_the_script_begins_too(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        run = host.run("import scipy.stats\nprint(round(scipy.stats.norm.cdf(0), 1))", seccomp="")
        self.assertEqual(("completed", "0.5\n"), (run.outcome, run.stdout), run.error)

    def test_a_module_is_told_before_others_have_it(self) -> None:
        for kind in (importlib.machinery.SourceFileLoader, importlib.machinery.ExtensionFileLoader):
            self.addCleanup(setattr, kind, "exec_module", kind.exec_module)
        told, had = [], []

        def loaded(name: str) -> None:
            if name == "asking_module":
                told.append(hasattr(sys.modules[name], "neither"))
                # Another thread that imports it waits for us.
                other = threading.Thread(target=lambda: had.append(importlib.import_module(name)), daemon=True)
                other.start()
                self.addCleanup(other.join)
                told.append(bool(had))

        _importing.watch(loaded)
        importlib.import_module("asking_module")
        self.assertEqual([True, False], told)


@contextlib.contextmanager
def _path(directory: str):  # type: ignore[no-untyped-def]
    sys.path.insert(0, directory)
    try:
        yield
    finally:
        sys.path.remove(directory)
