"""A field inside the format specification of an f-string's field."""
print(f"ESCAPED:fstring_spec {1:{__import__('os').getpid()}}")
