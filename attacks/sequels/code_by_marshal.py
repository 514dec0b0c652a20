"""Load a code object that was never compiled.

Held by: hook
"""
import marshal

code = marshal.loads(marshal.dumps(0) if False else b"i\x01\x00\x00\x00")
print("ESCAPED:code_by_marshal", code)
