"""The guard's plan: which subpackage may import which, and the map of it in README.md."""

from __future__ import annotations

import ast
import re
import unittest
from pathlib import Path
from typing import TYPE_CHECKING

import hotcell_guard

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(hotcell_guard.__file__).parent
MAP = Path(__file__).resolve().parent.parent / "README.md"

LAYERS = ("vetting", "speaking", "answering", "granting", "libraries", "confining")
"""The subpackages: each imports from itself and from those before it. The root stands above all."""
MOST_LINES = 400
MADE = ("libraries/_sites.py",)
"""Written by inventory.py, however long."""


def modules() -> dict[str, Path]:
    """Return every module's file by its dotted name within the package."""
    return {".".join(file.relative_to(PACKAGE).with_suffix("").parts): file for file in PACKAGE.rglob("*.py")}


def layer(module: str) -> int:
    """Return how high a module stands."""
    home = module.partition(".")[0] if "." in module else ""
    return LAYERS.index(home) if home else len(LAYERS)


def imported(tree: ast.AST, known: set[str]) -> Iterator[str]:
    """Yield the guard's modules that a module imports, also for types only and inside of functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name for each in node.names if (name := _own(each.name)) in known)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            home = _own(node.module)
            if home in known:
                yield home
            for each in node.names:
                inside = f"{home}.{each.name}".lstrip(".")
                if home is not None and inside in known:
                    yield inside


def _own(name: str) -> str | None:
    root, _, rest = name.partition(".")
    return rest if root == PACKAGE.name else None


def needed(tree: ast.Module, known: set[str]) -> set[str]:
    """Return what a module imports while it is itself imported, types aside."""
    body = [each for each in tree.body if not isinstance(each, (ast.If, ast.FunctionDef, ast.ClassDef))]
    return {name for each in body for name in imported(each, known)}


class Structure(unittest.TestCase):
    """The plan as the sources have it."""

    files: dict[str, Path]
    trees: dict[str, ast.Module]
    known: set[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.files = modules()
        cls.trees = {name: ast.parse(file.read_bytes()) for name, file in cls.files.items()}
        cls.known = set(cls.files)

    def test_subpackages_are_those_of_the_plan(self) -> None:
        found = {name.partition(".")[0] for name in self.known if "." in name}
        self.assertEqual(found, set(LAYERS))

    def test_imports_go_one_way(self) -> None:
        for name, tree in self.trees.items():
            for other in imported(tree, self.known):
                self.assertLessEqual(layer(other), layer(name), f"{name} imports {other}, which stands above it")

    def test_every_import_is_absolute_and_at_the_guards_top(self) -> None:
        for name, tree in self.trees.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom):
                    self.assertEqual(node.level, 0, f"{name}, line {node.lineno}: a relative import")

    def test_no_cycle(self) -> None:
        graph = {name: needed(tree, self.known) for name, tree in self.trees.items()}
        later = {name: set(imported(tree, self.known)) for name, tree in self.trees.items()}
        for name in graph:
            self.assertNotIn(name, _reached(graph, name), f"{name} is imported by what it imports")
        for name, tree in self.trees.items():  # an import inside a function hides a cycle
            for node in ast.walk(tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    for other in imported(node, self.known):
                        self.assertNotIn(name, {other} | _reached(later, other), f"{name} and {other} need each other")

    def test_names_are_private_and_unique(self) -> None:
        names = [name.rpartition(".")[2] for name in self.known if not name.endswith("__init__")]
        self.assertEqual(sorted(names), sorted(set(names)), "README.md calls a module by its last name")
        self.assertEqual({name for name in names if not name.startswith("_")}, {"replicate"})

    def test_the_map_names_every_module_once(self) -> None:
        wanted = {home: set[str]() for home in ("", *LAYERS)}
        for name in self.known:
            home, _, last = name.rpartition(".")
            if last != "__init__":
                wanted[home].add(last)
        sections = _sections()
        self.assertEqual(list(sections), ["", *LAYERS], "the map's order is the order of imports")
        for home, rows in sections.items():
            self.assertEqual(sorted(rows), sorted(wanted[home]), f"the map of {home or 'the root'}")

    def test_every_name_in_the_readme_is_there(self) -> None:
        files = {name.rpartition(".")[2]: file for name, file in self.files.items()}
        for name, attribute in re.findall(r"`(_[a-z]\w*)\.(\w+)`", MAP.read_text()):
            self.assertIn(name, files, f"README.md names {name}.{attribute}")
            there = re.search(rf"\b{attribute}\b", files[name].read_text())
            self.assertIsNotNone(there, f"README.md names {name}.{attribute}")

    def test_files_fit_a_few_screens(self) -> None:
        for file in PACKAGE.rglob("*.py"):
            if str(file.relative_to(PACKAGE)) not in MADE:
                self.assertLessEqual(len(file.read_text().splitlines()), MOST_LINES, file.name)


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph.get(name, ())
    return found


def _sections() -> dict[str, list[str]]:
    """Return the modules of the map's tables by subpackage, in the map's order."""
    text = MAP.read_text().partition("## The map\n")[2].partition("\n## ")[0]
    first, *others = re.split(r"(?m)^### ", text)
    parts = {"": first, **{part.split("\n", 1)[0]: part for part in others}}
    rows = {home: re.findall(r"(?m)^\| (`[^|]*`) \|", part) for home, part in parts.items()}
    return {home: [name for row in found for name in re.findall(r"`(\w+)`", row)] for home, found in rows.items()}
