"""A builtin's __self__ is the module that it lives in."""
print("ESCAPED:builtin_self", len.__self__.eval("1"))
