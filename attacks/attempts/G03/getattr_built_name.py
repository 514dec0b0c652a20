"""getattr with a name that is built."""
print("ESCAPED:getattr_built_name", getattr(print, "__se" + "lf__").__name__)
