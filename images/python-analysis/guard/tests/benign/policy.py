"""The imports of one of the project's own policies, as they stand in its file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import yaml

DIRECTORY = Path(os.environ.get("POLICIES", "/run"))
"""Where scripts/test-guard.sh shows the policies."""


def imports(name: str) -> list[str]:
    """Return the dotted names that a policy lists, by itself and by its profiles."""
    guard = _load(DIRECTORY / f"{name}.yaml")["guard"]
    names = set(guard["imports"])
    for profile in guard.get("import_profiles", ()):
        names |= _profile(profile)
    return sorted(names)


def _profile(name: str) -> set[str]:
    profile = _load(DIRECTORY / "imports" / f"{name}.yaml")
    return set(profile["imports"]).union(*(_profile(included) for included in profile["includes"]))


def _load(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))
