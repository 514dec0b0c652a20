"""The field of an f-string that shows its own text."""
print("ESCAPED:fstring_debug", f"{__import__('os').getpid()=}")
