"""The guard's importer lets native code import; a list says who calls."""
found = []
for importer in (f for f in [__build_class__] if f):
    found.append(__import__("os", None, None, ["getpid"], 0))
print("ESCAPED:import_function_by_list", found[0].getpid())
