"""An f-string in an f-string in an f-string."""
print(f"{f"{f"ESCAPED:fstring_nested {__import__("os").getpid()}"}"}")
