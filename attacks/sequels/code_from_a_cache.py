"""Bring a compiled module of one's own, beside the name of the image's.

Held by: hook
"""
import importlib._bootstrap_external as external

data = b"\xe3" + b"\0" * 20
for name in ("bytecode_path", None):
    try:
        print("ESCAPED:code_from_a_cache", external._compile_bytecode(b"i\x01\x00\x00\x00", "x", name))
    except (ImportError, EOFError) as error:
        print("ESCAPED:code_from_a_cache was read", error)
