"""What the rewritten tree calls, as constants of the script's code objects.

A helper under a name is a helper that somebody can find or replace: a table of
builtins is handed out by libraries that evaluate text, and a metaclass answers for the
names of a class body. A constant has no name, no scope and no dict. The tree holds
markers; when it has been compiled, each becomes the helper itself.

A marker is a frozenset in a frozenset. The compiler makes such a constant of no source
text: it folds ``x in {1, 2}`` to a frozenset, and a set in a set is no constant.
"""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType
    from typing import Final

    Marker = frozenset[frozenset[str]]

__all__ = [
    "ACCESS",
    "AWAITED",
    "IMPORT",
    "KEEP",
    "METHOD",
    "OPEN",
    "OWNER",
    "PATTERN",
    "PURE",
    "READ",
    "TEMPLATES",
    "TEXT",
    "TYPE",
    "bind",
    "is_marker",
    "reference",
]


def _marker(words: str) -> Marker:
    return frozenset((frozenset((words,)),))


IMPORT: Final = "(import by name)"
"""What the checking form of ``__import__`` is called, which the import statement looks up by its own name."""

PURE: Final = _marker("classes of the script")
"""The set of classes whose private attributes are all the script's."""
OPEN: Final = _marker("classes whose objects the script has made")
"""The set of classes whose objects' public attributes are the script's to set."""
TEMPLATES: Final = _marker("format strings that were checked")
"""The set of texts whose fields read nothing that depends on the object."""
TEXT: Final = _marker("str")
TYPE: Final = _marker("type")
"""The real one, which asks no object: only ever called with one argument."""
METHOD: Final = _marker("method")
"""The type of bound methods."""
READ: Final = _marker("guarded getattr")
"""A policy may deny the public one."""
OWNER: Final = _marker("owner of an attribute")
PATTERN: Final = _marker("class of a pattern")
AWAITED: Final = _marker("what is awaited")
KEEP: Final = _marker("keeper of the last value")
"""Where a policy's answer is the value of the last statement, whatever that is."""
ACCESS: Final = frozenset((READ, OWNER))
"""Helpers that are called with an object and the name of an attribute."""
_ALL: Final = frozenset((PURE, OPEN, TEMPLATES, TEXT, TYPE, METHOD, READ, OWNER, PATTERN, AWAITED, KEEP))


def reference(marker: Marker, place: ast.expr) -> ast.expr:
    """Return the node that stands for a helper."""
    return ast.copy_location(ast.Constant(marker), place)


def is_marker(value: object) -> bool:
    """Tell whether a constant of a tree is a marker."""
    return type(value) is frozenset and value in _ALL


def bind(code: CodeType, helpers: Mapping[Marker, object], around: str = "") -> CodeType:
    """Return code, and all that is nested in it, with the helpers in place of their markers.

    around is the name of a function that stands around a whole script. It is left out of
    all names, and its own code is named as a module's.
    """
    constants = tuple(_bound(each, code, helpers, around) for each in code.co_consts)
    if not around:
        return code.replace(co_consts=constants)
    name = "<module>" if code.co_qualname == around else code.co_name
    full = name if code.co_qualname == around else code.co_qualname.removeprefix(f"{around}.<locals>.")
    return code.replace(co_consts=constants, co_name=name, co_qualname=full)


def _bound(constant: object, code: CodeType, helpers: Mapping[Marker, object], around: str) -> object:
    if isinstance(constant, type(code)):
        return bind(constant, helpers, around)
    return helpers[constant] if is_marker(constant) else constant  # type: ignore[index]
