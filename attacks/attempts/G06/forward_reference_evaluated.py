"""A forward reference evaluates its string with the real builtins."""
import typing

reference = typing.ForwardRef("getattr(print, '__se' + 'lf__')")
value = getattr(reference, "_eval" + "uate")({}, {}, frozenset(), recursive_guard=frozenset())
print("ESCAPED:forward_reference_evaluated", value.__name__)
