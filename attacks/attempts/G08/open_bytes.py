"""open with a path of bytes."""
print("ESCAPED:open_bytes" if open(b"@CANARY@").read().startswith("canary:") else "held")
