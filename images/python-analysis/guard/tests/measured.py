"""Imports modules under the guard's changes and prints, as JSON, what these have changed.

A process of its own: it changes the libraries as the guard does. The names of the
modules come on stdin.
"""

from __future__ import annotations

import importlib
import io
import json
import sys
from pathlib import Path
from types import CodeType
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1] / "src"), str(Path(__file__).parents[1])]

from hotcell_guard.granting import _builtins, _imports, _views  # noqa: E402
from hotcell_guard.granting._attributes import Attributes  # noqa: E402
from hotcell_guard.libraries import _hardening, _lookups  # noqa: E402
from hotcell_guard.vetting import _rules  # noqa: E402
from tests.inventory import BUILTINS, LOOKED_UP, policy_roots  # noqa: E402


def measure(names: list[str]) -> dict[str, Any]:
    """Import, change, and look."""
    rules = _rules.Rules(frozenset(policy_roots()), frozenset(), frozenset())
    namespace: dict[str, Any] = {}
    attributes = Attributes(rules)
    _builtins.curated(rules, _imports.guarded_import(rules, _views.Views(rules, lambda: None)), open, attributes)
    hardening = _hardening.Hardening(rules, namespace, attributes, lambda code: None, {})
    failed: dict[str, str] = {}
    for name in names:
        try:
            importlib.import_module(name)
        except (Exception, SystemExit) as error:  # optional dependencies raise anything
            failed[name] = f"{type(error).__name__}: {error}"
    hardening.apply()
    loaded = {name: module for name, module in sys.modules.items() if name not in failed and hasattr(module, "__dict__")}
    deputies = {name: sorted(each for each in BUILTINS if _is_ours(vars(module).get(each))) for name, module in loaded.items()}
    lookups = {name: _rewritten(name, loaded[name]) for name in names if name in loaded}
    return {"deputies": {name: found for name, found in deputies.items() if found}, "lookups": lookups, "texts": _is_ours(str.format) and _is_ours(str.format_map), "failed": failed}


def _is_ours(value: object) -> bool:
    code = getattr(value, "__code__", None)
    return code is not None and "/hotcell_guard/" in code.co_filename


def _rewritten(name: str, module: Any) -> list[str]:
    """Return the attributes that no code of the module's loader looks up any more, but in constants."""
    spec = module.__spec__
    code = spec.loader.get_code(name) if spec is not None and hasattr(spec.loader, "get_code") else None
    if code is None:
        return []
    parts = list(_codes(code))
    if not any(_is_ours(each) for part in parts for each in part.co_consts):
        return []
    left = {name for part in parts for name in _lookups.looked_up(part)}
    return [name for name in LOOKED_UP if name not in left]


def _codes(code: CodeType) -> Any:
    yield code
    for each in code.co_consts:
        if type(each) is CodeType:
            yield from _codes(each)


if __name__ == "__main__":
    stdout, sys.stdout = sys.stdout, io.StringIO()  # modules print
    result = measure(json.load(sys.stdin))
    print(json.dumps(result), file=stdout)
