"""Names that are like another, and short lists of names: of keys, labels and files."""

from __future__ import annotations

import itertools
import os
import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Final

__all__ = [
    "INSTALLING", "LONGEST_TEXT", "files", "is_frame", "is_table", "keys", "labels", "listed", "matches", "near", "near_label",
    "without_installing",
]  # fmt: skip

LONGEST_TEXT: Final = 4096
INSTALLING: Final = re.compile(r"[^.;\n]*\b(?:pip3?|conda)\b[^.;\n]*\.?")
_PLEASE: Final = re.compile(r"(?:[Pp]lease|[Mm]ust|[Nn]eed to|[Tt]ry to)\s+install\s+([A-Za-z][\w-]*)[^\n]*")
"""Words of a library about a package that it would use."""
_LONGEST_NAME: Final = 60
_LOOKED_AT: Final = 1000
"""Names that are compared, and files that are looked at."""
_SHOWN: Final = 12
_SHOWN_CHARACTERS: Final = 400
_DEEPEST: Final = 4
_PLAIN: Final = (str, int, float, bool)


def without_installing(text: str) -> str:
    """Return a library's words without what nobody can do here: to install a package."""
    rest = re.sub(r"\s+\n", "\n", INSTALLING.sub("", text)).strip(" \n") or text
    return _PLEASE.sub(r"\1 is not in this image, and nothing can be installed", rest)


def listed(names: Iterable[object]) -> str:
    """Return the first of some names for a sentence, and how many more there are."""
    every = [each for each in names if type(each) in _PLAIN]
    shown: list[str] = []
    for each in every[:_SHOWN]:
        text = repr(each) if type(each) is not str or len(each) <= _LONGEST_NAME else repr(each[:_LONGEST_NAME] + "...")
        if sum(map(len, shown)) + len(text) > _SHOWN_CHARACTERS:
            break
        shown.append(text)
    more = len(every) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def matches(name: object, known: Iterable[object]) -> list[str]:
    """Return at most three of the known names that are like name."""
    import difflib  # only a failure needs it

    if type(name) is not str or len(name) > _LONGEST_NAME:
        return []
    folded: dict[str, str] = {}
    for each in itertools.islice(known, _LOOKED_AT):
        if type(each) is str and len(each) <= _LONGEST_NAME:
            folded.setdefault(each.strip().lower(), each)
    asked = name.strip().lower()
    found = difflib.get_close_matches(asked, list(folded), n=3, cutoff=0.75)
    begins = [each for each in folded if len(asked) > 2 and each.startswith(asked) and each not in found]
    return [folded[each] for each in (*found, *begins)][:3]


def near(name: object, known: Iterable[object]) -> str:
    """Return the names that are like name for a sentence, or nothing."""
    return " or ".join(map(repr, matches(name, known)))


def keys(container: object, key: object) -> str | None:
    """Say what keys a dict has. Its class may be the script's: only dict's own code is asked."""
    if not issubclass(type(container), dict):
        return None
    every: Any = list(itertools.islice(dict.keys(container), _LOOKED_AT))  # type: ignore[arg-type]
    if not every:
        return "it has no keys"
    return _meant(key, every) + f"the keys are {listed(every)}" if any(type(each) in _PLAIN for each in every) else None


def is_frame(value: object) -> bool:
    """Tell whether value is a DataFrame itself, of no class that inherits from it."""
    pandas: Any = sys.modules.get("pandas")
    return pandas is not None and type(value) is getattr(pandas, "DataFrame", None)


def is_table(value: object) -> bool:
    """Tell whether value is a DataFrame or Series itself."""
    pandas: Any = sys.modules.get("pandas")
    return is_frame(value) or (pandas is not None and type(value) is getattr(pandas, "Series", None))


def labels(table: Any, key: object, axis: int | None) -> str | None:
    """Say what columns a table has, or what labels its rows have, where those were looked up."""
    rows = not is_frame(table) or axis == 0
    every = list(_labels_of(table, rows=rows))
    if not every and not rows:
        return "the table has no columns"
    what = ("labels of its rows" if is_frame(table) else "labels") if rows else "columns"
    return _meant(_asked(key, every), every) + f"the {what} are {listed(every)}" if every else None


def near_label(table: Any, name: str) -> str:
    """Return the columns of a table that are like name, for a sentence."""
    return near(name, list(_labels_of(table, rows=False))) if is_frame(table) else ""


def _labels_of(table: Any, *, rows: bool) -> Iterator[object]:
    index = table.axes[0 if rows else 1]
    for each in itertools.islice(index, _LOOKED_AT):
        value = each.item() if type(each).__module__ == "numpy" and hasattr(each, "item") else each
        if type(value) in _PLAIN:
            yield value


def _asked(key: object, known: list[object]) -> object:
    """Return the label that pandas names in its words, or the key itself."""
    if type(key) is str and key.startswith(("[", '"[', "None of [")):
        asked = key.partition("[")[2].partition("]")[0].split(",")[0].strip(" '\"")
        return None if asked in known else asked
    return key


def _meant(key: object, known: Iterable[object]) -> str:
    alike = near(key, known)
    return f"maybe you meant {alike}; " if alike else ""


def files(directory: str) -> list[str]:
    """Return the files below a directory, by their paths from there, sorted; only so many are looked at."""
    found: list[str] = []
    pending = [("", 0)] if directory else []
    while pending and len(found) < _LOOKED_AT:
        below, depth = pending.pop()
        with os.scandir(f"{directory}/{below}") as entries:
            for entry in itertools.islice(entries, _LOOKED_AT):
                if entry.is_file(follow_symlinks=False):
                    found.append(below + entry.name)
                elif depth < _DEEPEST and entry.is_dir(follow_symlinks=False):
                    pending.append((f"{below}{entry.name}/", depth + 1))
    return sorted(found)
