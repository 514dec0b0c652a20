"""What except names is evaluated only when something is raised."""
try:
    raise ValueError
except (__import__("os").error, ValueError):
    print("ESCAPED:except_expression")
