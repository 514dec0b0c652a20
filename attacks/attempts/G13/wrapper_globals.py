"""The globals of a builtin's wrapper; of the plain builtin, its module's dict."""
found = open.__globals__ if hasattr(open, "__globals__") else __import__("io").open_code
print("ESCAPED:wrapper_globals", found)
