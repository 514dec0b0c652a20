"""The closure of a builtin's wrapper; of the plain builtin, its module."""
function = getattr
found = function.__closure__[0].cell_contents if hasattr(function, "__closure__") else function.__self__
print("ESCAPED:wrapper_closure", found)
