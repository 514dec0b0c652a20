"""Signatures as the script holds them: copies of Python's, whose classes and values lead nowhere."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["BoundArguments", "Parameter", "Shown", "Signature", "copied", "empty"]


_KINDS: Final = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD")
_DESCRIPTIONS: Final = (
    "positional-only", "positional or keyword", "variadic positional", "keyword-only", "variadic keyword"
)  # fmt: skip


class empty:  # noqa: N801  # Python's own name
    """Marks the absence of a default or an annotation."""


class Shown:
    """Stands for a default or an annotation that a library wrote: its text."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class Kind(int):
    """How an argument may be given."""

    def __new__(cls, number: int) -> Kind:
        """Take one of the five. Raises ValueError."""
        if int.__index__(number) not in range(len(_KINDS)):
            raise ValueError(f"{int.__index__(number)} is not a valid Parameter.kind")
        return super().__new__(cls, number)

    @property
    def name(self) -> str:
        """The name of the kind."""
        return _KINDS[int(self)]

    @property
    def description(self) -> str:
        """The kind in words."""
        return _DESCRIPTIONS[int(self)]

    def __repr__(self) -> str:
        return f"<_ParameterKind.{self.name}: {int(self)}>"

    def __str__(self) -> str:
        return self.name


class Parameter:
    """One parameter of a function."""

    __slots__ = ("annotation", "default", "kind", "name")

    POSITIONAL_ONLY = Kind(0)
    POSITIONAL_OR_KEYWORD = Kind(1)
    VAR_POSITIONAL = Kind(2)
    KEYWORD_ONLY = Kind(3)
    VAR_KEYWORD = Kind(4)
    empty = empty

    def __init__(self, name: str, kind: int, *, default: Any = empty, annotation: Any = empty) -> None:
        self.name = name
        self.kind = Kind(kind)
        self.default = default
        self.annotation = annotation

    def replace(self, **changes: Any) -> Parameter:
        """Return a copy with changes."""
        values = {"default": self.default, "annotation": self.annotation, "name": self.name, "kind": self.kind, **changes}
        return Parameter(values.pop("name"), values.pop("kind"), **values)

    def __str__(self) -> str:
        text = {2: "*", 4: "**"}.get(int(self.kind), "") + self.name
        if self.annotation is not empty:
            text += f": {annotation_text(self.annotation)}"
        if self.default is empty:
            return text
        return f"{text} = {self.default!r}" if self.annotation is not empty else f"{text}={self.default!r}"

    def __repr__(self) -> str:
        return f'<Parameter "{self}">'

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parameter) and str(self) == str(other)

    __hash__ = None  # type: ignore[assignment]  # its default may have none


class BoundArguments:
    """The arguments of one call, by the parameters' names."""

    __slots__ = ("arguments", "signature")

    def __init__(self, signature: Signature, arguments: dict[str, Any]) -> None:
        self.signature = signature
        self.arguments = arguments

    @property
    def args(self) -> tuple[Any, ...]:
        """The arguments by position."""
        found: list[Any] = []
        for name, parameter in self.signature.parameters.items():
            if name not in self.arguments or int(parameter.kind) > 2:
                break
            found.extend(self.arguments[name] if int(parameter.kind) == 2 else (self.arguments[name],))
        return tuple(found)

    @property
    def kwargs(self) -> dict[str, Any]:
        """The arguments by name."""
        found: dict[str, Any] = {}
        by_name = False
        for name, parameter in self.signature.parameters.items():
            by_name = by_name or name not in self.arguments or int(parameter.kind) > 2
            if by_name and name in self.arguments:
                found.update(self.arguments[name] if int(parameter.kind) == 4 else {name: self.arguments[name]})
        return found

    def apply_defaults(self) -> None:
        """Fill in the defaults of what was not given."""
        given, self.arguments = self.arguments, {}
        for name, parameter in self.signature.parameters.items():
            absent = {2: (), 4: {}}.get(int(parameter.kind), parameter.default)
            if name in given or absent is not empty:
                self.arguments[name] = given.get(name, absent)

    def __repr__(self) -> str:
        return f"<BoundArguments ({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})>"


class Signature:
    """The parameters of a function, and what it returns."""

    __slots__ = ("parameters", "return_annotation")

    empty = empty

    def __init__(self, parameters: Any = (), *, return_annotation: Any = empty) -> None:
        self.parameters: dict[str, Parameter] = {each.name: each for each in parameters}
        self.return_annotation = return_annotation

    def replace(self, *, parameters: Any = None, return_annotation: Any = None) -> Signature:
        """Return a copy with changes."""
        every = self.parameters.values() if parameters is None else parameters
        returned = self.return_annotation if return_annotation is None else return_annotation
        return Signature(every, return_annotation=returned)

    def bind(self, /, *args: Any, **kwargs: Any) -> BoundArguments:
        """Return which parameter gets which argument. Raises TypeError as a call would."""
        return self._bind(args, kwargs, partial=False)

    def bind_partial(self, /, *args: Any, **kwargs: Any) -> BoundArguments:
        """Return the same of arguments that may be too few."""
        return self._bind(args, kwargs, partial=True)

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any], *, partial: bool) -> BoundArguments:
        arguments: dict[str, Any] = {}
        rest, named = list(args), dict(kwargs)
        for name, parameter in self.parameters.items():
            kind = int(parameter.kind)
            if kind == 2:
                arguments, rest = {**arguments, **({name: tuple(rest)} if rest else {})}, []
            elif kind == 4:
                arguments, named = {**arguments, **({name: named} if named else {})}, {}
            elif rest and kind < 2:
                if kind == 1 and name in named:
                    raise TypeError(f"multiple values for argument {name!r}")
                arguments[name] = rest.pop(0)
            elif kind > 0 and name in named:
                arguments[name] = named.pop(name)
            elif parameter.default is empty and not partial:
                raise TypeError(f"missing a required argument: {name!r}")
        if rest:
            raise TypeError("too many positional arguments")
        if named:
            raise TypeError(f"got an unexpected keyword argument {next(iter(named))!r}")
        return BoundArguments(self, arguments)

    def without_first(self) -> Signature:
        """Return a copy without the parameter that a method gets from its object."""
        every = list(self.parameters.values())
        if not every or int(every[0].kind) > 2:
            raise ValueError("invalid method signature")
        return self.replace(parameters=every if int(every[0].kind) == 2 else every[1:])

    def without(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Signature:
        """Return a copy without what a partial gives by place; what it gives by name is a default."""
        try:
            given = self.bind_partial(*args).arguments
        except TypeError as error:
            raise ValueError(f"the partial has wrong arguments: {error}") from None
        kept: list[Parameter] = []
        by_name = False
        for name, parameter in self.parameters.items():
            kind = int(parameter.kind)
            if name in given and kind < 2:
                continue
            if name in keywords and kind in (1, 3):
                by_name = True
                kept.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, default=keywords[name]))
            elif not by_name or kind > 2:
                kept.append(parameter)
            elif kind == 1:
                kept.append(parameter.replace(kind=Parameter.KEYWORD_ONLY))
        return self.replace(parameters=kept)

    def __str__(self) -> str:
        shown, before = [], -1
        for parameter in self.parameters.values():
            kind = int(parameter.kind)
            if before == 0 and kind > 0:
                shown.append("/")
            if kind == 3 and before not in (2, 3):
                shown.append("*")
            shown.append(str(parameter))
            before = kind
        if before == 0:
            shown.append("/")
        returned = "" if self.return_annotation is empty else f" -> {annotation_text(self.return_annotation)}"
        return f"({', '.join(shown)}){returned}"

    def __repr__(self) -> str:
        return f"<Signature {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and str(self) == str(other)

    __hash__ = None  # type: ignore[assignment]  # as its parameters


def annotation_text(annotation: Any) -> str:
    """Return an annotation as it is written in a signature."""
    if isinstance(annotation, type):
        home, name = annotation.__module__, annotation.__qualname__
        return name if home in ("builtins", "__main__") else f"{home}.{name}"
    return repr(annotation)


def copied(real: Any, default: Callable[[Any], Any], annotation: Callable[[Any], Any]) -> Signature:
    """Return a copy of one of Python's signatures; the functions say what is shown of its values."""
    absent = real.empty
    parameters = [
        Parameter(
            each.name,
            int(each.kind),
            default=empty if each.default is absent else default(each.default),
            annotation=empty if each.annotation is absent else annotation(each.annotation),
        )
        for each in real.parameters.values()
    ]
    returned = empty if real.return_annotation is absent else annotation(real.return_annotation)
    return Signature(parameters, return_annotation=returned)
