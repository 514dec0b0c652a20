"""``ast`` for the script: trees of its own, with classes that look like Python's.

The guard checks a session's later scripts with Python's node classes, and the parser
shares some of their objects. So a script gets copies: a tree that was parsed is copied
into them, and what Python's own functions are asked about (``unparse``, ``dump``) is
copied back, with exact texts and numbers. Nothing of a copy can be compiled.
"""

from __future__ import annotations

import _ast
import ast
from _ast import PyCF_ONLY_AST, PyCF_TYPE_COMMENTS

from hotcell_guard.vetting import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Final

    from hotcell_guard.granting._attributes import Attributes

__all__ = ["contents", "literal_eval"]

_PLAIN: Final = (int, float, complex, bool, bytes, type(None), type(...))
_POSITIONS: Final = ("lineno", "col_offset", "end_lineno", "end_col_offset")
_name: Final = vars(type)["__name__"].__get__
_RULES: Final = _rules.Rules(frozenset(), frozenset(), frozenset())
_HOLDS: Final = "a node's field holds nodes, lists, texts and numbers here, and not objects of class {!r}"


def literal_eval(node_or_string: Any) -> object:
    """Evaluate a text or a tree that holds a Python literal."""
    node = _parsed(node_or_string.lstrip(" \t"), "eval") if issubclass(type(node_or_string), str) else _real(node_or_string)
    try:
        return ast.literal_eval(node)
    except ValueError as error:
        raise ValueError(str(error).partition(":")[0] + ": it is no literal") from None


def contents(attributes: Attributes) -> dict[str, object]:
    """Return what the module holds: its classes are those of one run."""
    kinds = _kinds()
    return {**kinds, **_functions(kinds), **_visitors(attributes.read, attributes.write, attributes.delete)}


class AST:
    """The base of all nodes."""

    _fields: tuple[str, ...] = ()
    _attributes: tuple[str, ...] = ()
    _made: Mapping[str, Callable[[], object]] = {}  # what a field is that nobody gives
    __match_args__: tuple[str, ...] = ()

    def __init__(self, *args: object, **named: object) -> None:
        fields = _fields_of(self)
        if len(args) > len(fields):
            raise TypeError(f"{_name(type(self))} constructor takes at most {len(fields)} positional arguments")
        given = {**dict(zip(fields, args, strict=False)), **named}
        if len(given) < len(args) + len(named):
            raise TypeError(f"{_name(type(self))} got multiple values for an argument")
        for name, value in {**{name: make() for name, make in type(self)._made.items()}, **given}.items():
            setattr(self, _public(name), value)


def _is_node(obj: object) -> bool:
    return issubclass(type(obj), AST)


def _fields_of(node: object) -> tuple[str, ...]:
    """Return the fields that a node's class names, as exact names that can be read of any object."""
    if not _is_node(node):
        raise TypeError(f"expected AST, got {_name(type(node))!r}")
    kind: Any = type(node)
    return tuple(map(_public, kind._fields))


def _public(name: Any) -> str:
    exact = str.__str__(name)
    if exact[:1] == "_" or exact in _rules.GUARDED_ATTRIBUTES or _rules.attribute_refusal(exact, _RULES) is not None:
        raise AttributeError(f"{exact!r} cannot be a field's name here")
    return exact


def _kinds() -> dict[str, type]:
    """Return a copy of each node class."""
    made: dict[type, type] = {ast.AST: AST}
    left = [ast.AST]
    while left:
        above = left.pop()
        for kind in type.__subclasses__(above):
            if kind.__module__ == "ast" and kind.__base__ is above and vars(_ast).get(kind.__name__) is kind:
                made[kind] = _copied(kind, made[above])
                left.append(kind)
    return {kind.__name__: copy for kind, copy in made.items()}


def _copied(kind: Any, base: type) -> type:
    types = getattr(kind, "_field_types", {})
    defaults: dict[str, Callable[[], object]] = {}
    optional = {name: None for name in (*kind._fields, *kind._attributes) if getattr(kind, name, ...) is None}
    for name in kind._fields:
        if getattr(types.get(name), "__origin__", None) is list:
            defaults[name] = list
    body = {"_fields": kind._fields, "_attributes": kind._attributes, "__match_args__": kind._fields, "_made": defaults}
    return type(kind.__name__, (base,), {**optional, **body, "__doc__": kind.__doc__, "__module__": "ast"})


def _parsed(source: Any, mode: str, flags: int = 0, version: int = -1, optimize: int = -1) -> ast.AST:
    """Return Python's own tree of a text. Nothing but a tree is made: the hook lets this file compile."""
    text = str.__str__(source) if issubclass(type(source), str) else bytes(memoryview(source))
    if mode not in ("exec", "eval", "single", "func_type"):
        raise ValueError("compile() mode must be 'exec', 'eval', 'single' or 'func_type'")
    tree: ast.AST = compile(
        text, "<unknown>", mode, PyCF_ONLY_AST | flags, dont_inherit=True, optimize=optimize, _feature_version=version
    )
    return tree


def _copy(root: ast.AST, kinds: Mapping[str, Any]) -> Any:
    """Return a tree of Python's in the script's classes."""
    made: dict[int, Any] = {}
    nodes = list(ast.walk(root))
    for node in nodes:
        kind = kinds[type(node).__name__]
        made[id(node)] = kind.__new__(kind)
    for node in nodes:
        for name, value in vars(node).items():
            held = [made.get(id(each), each) for each in value] if type(value) is list else made.get(id(value), value)
            setattr(made[id(node)], name, held)
    return made[id(root)]


def _real(root: Any) -> ast.AST:
    """Return a tree of the script's in Python's classes, with exact values."""
    made: dict[int, Any] = {}
    nodes = [root]
    for node in nodes:  # which grows
        if not _is_node(node):
            raise TypeError(f"expected AST, got {_name(type(node))!r}")
        if id(node) in made:
            continue
        real: Any = next(vars(_ast)[_name(base)] for base in type(node).__mro__ if vars(base).get("__module__") == "ast")
        made[id(node)] = real.__new__(real)
        nodes += _below(node)
    for node in nodes:
        for name, value in _held(node):
            setattr(made[id(node)], name, [_value(each, made) for each in value] if _is_list(value) else _value(value, made))
    return made[id(root)]  # type: ignore[no-any-return]


def _is_list(value: object) -> bool:
    return issubclass(type(value), list)


def _held(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields and positions that a node holds itself."""
    held = object.__getattribute__(node, "__dict__")
    for name in (*_fields_of(node), *_POSITIONS):
        if name in held:
            yield name, held[name]


def _below(node: Any) -> Iterator[Any]:
    for _, value in _held(node):
        for each in list.__iter__(value) if _is_list(value) else (value,):
            if _is_node(each):
                yield each


def _value(value: Any, made: Mapping[int, Any]) -> Any:
    if _is_node(value):
        return made[id(value)]
    if issubclass(type(value), str):
        return str.__str__(value)
    if type(value) in (tuple, frozenset):
        return type(value)(_value(each, made) for each in value)
    if type(value) in _PLAIN:
        return value
    raise TypeError(_HOLDS.format(_name(type(value))))


def _functions(kinds: Mapping[str, type]) -> dict[str, Any]:
    def parse(
        source: Any,
        filename: object = "<unknown>",
        mode: str = "exec",
        *,
        type_comments: bool = False,
        feature_version: Any = None,
        optimize: int = -1,
    ) -> Any:
        """Parse the source into an AST node."""
        minor = feature_version[1] if isinstance(feature_version, tuple) else feature_version
        flags = PyCF_TYPE_COMMENTS if type_comments else 0
        version = -1 if minor is None else int.__index__(minor)
        return _copy(_parsed(source, str.__str__(mode), flags, version, int.__index__(optimize)), kinds)

    def dump(
        node: Any,
        annotate_fields: object = True,
        include_attributes: object = False,
        *,
        indent: Any = None,
        show_empty: object = False,
    ) -> str:
        """Return a formatted dump of the tree in node."""
        width = indent if indent is None else str.__str__(indent) if isinstance(indent, str) else int.__index__(indent)
        return ast.dump(_real(node), bool(annotate_fields), bool(include_attributes), indent=width, show_empty=bool(show_empty))

    def unparse(ast_obj: Any) -> str:
        """Return the source of a tree."""
        if _is_list(ast_obj):
            return "\n".join(ast.unparse(_real(each)) for each in ast_obj)
        return ast.unparse(_real(ast_obj))

    def get_docstring(node: Any, clean: object = True) -> str | None:
        """Return the docstring of a node, or None."""
        return ast.get_docstring(_real(node), bool(clean))  # type: ignore[arg-type]  # it says what has one

    def get_source_segment(source: str, node: Any, *, padded: object = False) -> str | None:
        """Return the part of the source that made the node, or None."""
        return ast.get_source_segment(str.__str__(source), _real(node), padded=bool(padded))

    own = parse, dump, unparse, get_docstring, get_source_segment, literal_eval
    plain = walk, iter_fields, iter_child_nodes, copy_location, fix_missing_locations, increment_lineno
    return {each.__name__: each for each in (*own, *plain)}


def walk(node: Any) -> Iterator[Any]:
    """Yield all nodes of a tree, the node itself first."""
    todo = [node]
    for each in todo:  # which grows
        todo += iter_child_nodes(each)
        yield each


def iter_fields(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name and the value of each field that there is."""
    for name in _fields_of(node):
        try:
            yield name, getattr(node, name)
        except AttributeError:
            continue


def iter_child_nodes(node: Any) -> Iterator[Any]:
    """Yield the nodes directly below a node."""
    for _, value in iter_fields(node):
        for each in list.__iter__(value) if _is_list(value) else (value,):
            if _is_node(each):
                yield each


def copy_location(new_node: Any, old_node: Any) -> Any:
    """Copy the place in the source from one node to another, and return that one."""
    for each in (new_node, old_node):
        _fields_of(each)  # which must be nodes
    for name in _POSITIONS:
        if name in type(old_node)._attributes and name in type(new_node)._attributes:
            value = getattr(old_node, name, None)
            if value is not None or (hasattr(old_node, name) and name.startswith("end_")):
                setattr(new_node, name, value)
    return new_node


def fix_missing_locations(node: Any) -> Any:
    """Give each node that has no place that of the node above it."""
    todo: list[tuple[Any, tuple[int, int, int, int]]] = [(node, (1, 0, 1, 0))]
    for each, above in todo:  # which grows
        places = list(above)
        for index, name in enumerate(_POSITIONS):
            if name in type(each)._attributes:
                found = getattr(each, name, None)
                if found is None:
                    setattr(each, name, places[index])
                else:
                    places[index] = found
        todo += [(child, tuple(places)) for child in iter_child_nodes(each)]  # type: ignore[misc]  # four
    return node


def increment_lineno(node: Any, n: int = 1) -> Any:
    """Move all nodes of a tree by n lines."""
    for each in walk(node):
        if "lineno" in type(each)._attributes:
            each.lineno = getattr(each, "lineno", 0) + n
        if "end_lineno" in type(each)._attributes and getattr(each, "end_lineno", None) is not None:
            each.end_lineno += n
    return node


def _visitors(read: Callable[..., Any], write: Callable[..., None], delete: Callable[..., None]) -> dict[str, type]:
    """Return the classes that visit nodes. They read and set by names as the script could."""

    class NodeVisitor:
        """Calls a method for every node: visit_NAME, or generic_visit."""

        def visit(self, node: Any) -> Any:
            """Visit a node."""
            _fields_of(node)
            return read(self, "visit_" + str.__str__(_name(type(node))), self.generic_visit)(node)

        def generic_visit(self, node: Any) -> Any:
            """Visit what is below a node, for which there is no method."""
            for child in iter_child_nodes(node):
                self.visit(child)

    class NodeTransformer(NodeVisitor):
        """Puts what a method returns in its node's place; None takes the node away."""

        def generic_visit(self, node: Any) -> Any:
            """Visit what is below a node, for which there is no method."""
            for name, old in list(iter_fields(node)):
                if _is_list(old):
                    old[:] = self._visited(old)
                elif _is_node(old):
                    new = self.visit(old)
                    if new is None:
                        delete(node, name)
                    else:
                        write(node, name, new)
            return node

        def _visited(self, nodes: list[Any]) -> list[Any]:
            found: list[Any] = []
            for each in nodes:
                value = self.visit(each) if _is_node(each) else each
                if value is None and _is_node(each):
                    continue
                found += value if _is_node(each) and not _is_node(value) else [value]
            return found

    for kind in (NodeVisitor, NodeTransformer):
        kind.__module__, kind.__qualname__ = "ast", kind.__name__
    return {"NodeVisitor": NodeVisitor, "NodeTransformer": NodeTransformer}


AST.__module__ = "ast"
