"""eval with a string."""
print("ESCAPED:eval_call", eval("__import__('os').getpid()"))
