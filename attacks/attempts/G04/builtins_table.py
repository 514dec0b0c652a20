"""The table of builtins, by the name that every module has."""
table = __builtins__ if isinstance(__builtins__, dict) else __builtins__.__dict__
print("ESCAPED:builtins_table", table["eval"]("__import__('os').getpid()"))
