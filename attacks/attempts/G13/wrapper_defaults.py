"""The defaults of a wrapper."""
found = getattr(open, "__kwdef" + "aults__", None) or getattr(open, "__se" + "lf__")
print("ESCAPED:wrapper_defaults", found)
