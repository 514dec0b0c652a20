"""What except names is evaluated only when something is raised."""
try:
    raise ValueError
except (__import__("subprocess").SubprocessError, ValueError):
    print("ESCAPED:except_expression")
