"""Changes to libraries that hand out modules, evaluate text or copy by name.

Views keep a script from a library's modules. What is here concerns what the library
does on the script's behalf, where a wrapper in a view could be walked around: the
original is changed, once, when its module is loaded. Each library has a module beside
this one that says what is changed of it.
"""

from __future__ import annotations

import sys

from hotcell_guard.granting._tables import PreparationFault
from hotcell_guard.libraries import (
    _deputies,
    _importing,
    _jinja2,
    _lookups,
    _matplotlib,
    _natives,
    _networkx,
    _numpy,
    _openpyxl,
    _pandas,
    _pil,
    _plotly,
    _pydantic,
    _pypdf,
    _requests,
    _scipy,
    _sklearn,
    _standard,
    _statsmodels,
    _testing,
    _tqdm,
)
from hotcell_guard.libraries._array_interface import ArrayInterface
from hotcell_guard.libraries._changes import Means
from hotcell_guard.libraries._cython_views import CythonViews
from hotcell_guard.libraries._evaluation import Evaluation
from hotcell_guard.libraries._makers import Makers
from hotcell_guard.libraries._models import Models
from hotcell_guard.libraries._sites import SITES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType
    from typing import Any, Final

    from hotcell_guard.granting._attributes import Attributes
    from hotcell_guard.libraries._changes import Change
    from hotcell_guard.vetting import _rules

__all__ = ["Hardening"]

_LIBRARIES: Final = (
    *(_standard, _numpy, _pandas, _scipy, _statsmodels, _matplotlib, _plotly, _pydantic, _requests),
    *(_sklearn, _jinja2, _openpyxl, _pil, _tqdm, _networkx, _testing, _pypdf),
)


class Hardening:
    """Applies the changes to the modules that are loaded, in their order. Repeatable.

    namespace is the script's globals, attributes what reads them for it and its
    builtins; watch counts what a code object does, tracebacks are the functions that libraries tell exceptions with.
    """

    def __init__(
        self,
        rules: _rules.Rules,
        namespace: dict[str, Any],
        attributes: Attributes,
        watch: Callable[[CodeType], None],
        tracebacks: Mapping[str, object],
    ) -> None:
        evaluation = Evaluation(namespace, attributes.builtins, watch, attributes.ownership.is_own)
        self._deputies = _deputies.Deputies(namespace, attributes.read)
        _lookups.install(lambda name: {"__dict__": self._deputies.of(name)["vars"]}, frozenset(SITES["__dict__"]))
        natives = _natives.take()
        self._views = CythonViews(natives)
        _standard.change_natives(natives, rules, attributes)
        means = Means(
            rules,
            attributes,
            natives,
            evaluation=evaluation,
            deputies=self._deputies,
            models=Models(rules, natives),
            arrays=ArrayInterface(natives),
            makers=Makers(namespace, attributes.read),
            tracebacks=tracebacks,
        )
        self._begins = (evaluation, means.models)
        self._faults: list[PreparationFault] = []
        self._pending: dict[str, list[Change]] = {name: [self._give_deputies] for name in _deputies.NEEDED}
        for library in _LIBRARIES:
            for name, change in library.changes(means).items():
                self._pending.setdefault(name, []).append(change)
        for name in _deputies.KEYWORDS:
            self._pending.setdefault(name, []).append(_deputies.keep_keywords)

    def begin(self) -> None:
        """The script begins: what libraries do from now on can be its doing."""
        _importing.begin()
        for each in self._begins:
            each.begin()

    def apply(self) -> None:
        """Change what is loaded, and from now on each module when it has been executed: before others have it."""
        _importing.watch(self._change)
        for name in sorted(self._pending):
            if name in sys.modules and not _is_loading(sys.modules[name]):
                self._change(name)

    def check(self) -> None:
        """Close what was loaded. Raise the PreparationFault of a library that could not be made safe, whoever swallowed it."""
        self._views.close()
        for fault in self._faults:
            raise fault

    def _change(self, name: str) -> None:
        changes = self._pending.get(name, [])
        try:
            while changes and name in sys.modules:
                changes[0](sys.modules[name])
                del changes[0]  # not before: what could not be changed cannot be loaded either
        except PreparationFault as fault:
            self._faults.append(fault)
            raise

    def _give_deputies(self, module: Any) -> None:
        for name in _deputies.NEEDED[module.__name__]:
            vars(module).setdefault(name, self._deputies.of(module.__name__)[name])


def _is_loading(module: Any) -> bool:
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))
