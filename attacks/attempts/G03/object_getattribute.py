"""object.__getattribute__ under its own name."""
print("ESCAPED:object_getattribute", object.__getattribute__(print, "__self" + "__").__name__)
