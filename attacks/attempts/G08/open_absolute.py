"""open with an absolute path."""
print("ESCAPED:open_absolute" if open("@CANARY@").read().startswith("canary:") else "held")
