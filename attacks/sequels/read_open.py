"""Read a file outside the zones with Python's own open.

Held by: hook
Landlock: holds
"""
print("ESCAPED:read_open", open("@CANARY@").read())
