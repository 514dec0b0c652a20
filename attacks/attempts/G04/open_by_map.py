"""open as a callback."""
print("ESCAPED:open_by_map" if next(map(open, ["@CANARY@"])).read().startswith("canary:") else "held")
