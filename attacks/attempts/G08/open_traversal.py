"""open with a path out of the bundle."""
print("ESCAPED:open_traversal" if open(f"{DATA}/../../../../../../..@CANARY@").read().startswith("canary:") else "held")
