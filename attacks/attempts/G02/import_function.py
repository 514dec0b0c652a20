"""The function behind the statement."""
print("ESCAPED:import_function", __import__("os").getpid())
