"""The functions that f2py makes of Fortran's, and what their parameters are called: their own documentation says it."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any, Final

__all__ = ["with_parameters"]

_FORTRAN: Final = "fortran"
"""The class of such functions, by name."""
_PARAMETERS: Final = re.compile(r"= (\w+)\((.*)\)")


def with_parameters(module: Any, wanted: Collection[str]) -> Iterator[tuple[str, Any, str, list[str]]]:
    """Yield the module's functions that have one of these parameters: attribute, function, its name, all parameters in order."""
    for attribute, function in list(vars(module).items()):
        if type(function).__name__ == _FORTRAN and (found := _PARAMETERS.search(function.__doc__ or "")):
            names = re.findall(r"\w+", found[2])
            if not set(wanted).isdisjoint(names):
                yield attribute, function, found[1], names
