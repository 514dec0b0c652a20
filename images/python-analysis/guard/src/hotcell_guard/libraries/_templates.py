"""Text that libraries make and compile: only as the library writes it.

A subclass of a distribution can put any text in the place of scipy's template, and the
names of a dataclass's fields become lines of its methods. What is compiled here matches
the library's own text word for word, but for identifiers: whatever a check of the names
has missed, or has been told, no expression of a script's comes through.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Final

__all__ = ["FIELD_METHODS", "NEW_TUPLE", "Lines", "Template"]

_FIELDS: Final = {
    "shape_arg_str": r"(?:[^\W\d]\w*, )*",
    "locscale_in": r"loc=0(?:, scale=1)?",
    "locscale_out": r"loc, (?:scale|1)",
}


_NAME: Final = r"[^\W\d]\w*"
_READ: Final = rf"{_NAME}\.{_NAME}"
_VALUE: Final = rf"{_NAME}(?:\(\)(?: if {_NAME} is {_NAME} else {_NAME})?)?"
_TUPLE: Final = rf"\((?:{_READ},)*\)"
_TEXT: Final = r"'[^\W\d]\w*'"


class Lines:
    """The lines that a library writes, as patterns."""

    def __init__(self, *patterns: str) -> None:
        self._pattern = re.compile("|".join(f"(?:{each})" for each in patterns))

    def compile(self, text: object, mode: str) -> CodeType:
        """Compile what the library has made. Raises PermissionError for any other text."""
        if type(text) is not str or not all(map(self._pattern.fullmatch, text.split("\n"))):
            raise PermissionError("this is not the text that the library makes of names")
        return compile(text, "<string>", mode, dont_inherit=True)


NEW_TUPLE: Final = Lines(rf"lambda _cls, (?P<names>(?:{_NAME}(?:, {_NAME})*,?)?): _tuple_new\(_cls, \((?P=names)\)\)")
"""``__new__`` of a named tuple."""

FIELD_METHODS: Final = Lines(
    rf"def __create_fn__\((?:{_NAME}(?:,{_NAME})*)?\):",
    rf" def __init__\({_NAME}(?:,(?:\*|{_NAME}:{_NAME}(?:={_NAME})?))*\)->{_NAME}:",
    rf"  {_READ}={_VALUE}",
    rf"  __dataclass_builtins_object__\.__setattr__\({_NAME},{_TEXT},{_VALUE}\)",
    rf"  {_NAME}\.__post_init__\((?:{_NAME}(?:,{_NAME})*)?\)",
    r"(?:  pass)?",
    r" @__dataclasses_recursive_repr\(\)",
    r" def __(?:repr|hash)__\(self\):",
    r" def __(?:eq|lt|le|gt|ge)__\(self,other\):",
    r" def __setattr__\(self,name,value\):",
    r" def __delattr__\(self,name\):",
    rf"  return f\"{{self\.__class__\.__qualname__}}\((?:{_NAME}={{self\.{_NAME}!r}}(?:, )?)*\)\"",
    r"  if self is other:",
    r"  if other\.__class__ is self\.__class__:",
    rf"   return (?:True|{_READ}=={_READ}(?: and {_READ}=={_READ})*)",
    rf"   return {_TUPLE}(?:<|<=|>|>=){_TUPLE}",
    rf"  if type\(self\) is cls(?: or name in {{{_TEXT}(?:, {_TEXT})*}})?:",
    r"   raise FrozenInstanceError\(f\"cannot (?:assign to|delete) field {name!r}\"\)",
    r"  super\(cls, self\)\.__(?:setattr__\(name, value|delattr__\(name)\)",
    rf"  return (?:NotImplemented|hash\({_TUPLE}\))",
    rf" return \((?:{_NAME},)*\)",
)
"""The methods of a dataclass."""


class Template:
    """scipy's template for a distribution's parsers of arguments."""

    def __init__(self, text: str) -> None:
        pattern = re.escape(text)
        for name, field in _FIELDS.items():
            pattern = pattern.replace(re.escape(f"%({name})s"), field)
        self._pattern = re.compile(pattern)

    def compile(self, text: object) -> CodeType:
        """Compile what the template gave. Raises PermissionError for any other text."""
        if type(text) is not str or self._pattern.fullmatch(text) is None:
            raise PermissionError("a distribution cannot bring a template of its own")
        return compile(text, "<template>", "exec")
