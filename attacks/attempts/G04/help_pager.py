"""help() starts a pager and imports what it is asked for."""
help("this")
import contextlib

print("ESCAPED:help_pager", "pydoc" in contextlib.sys.modules)
