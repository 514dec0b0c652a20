"""format by a built name."""
text = getattr("{0.__self__.__na" + "me__}", "for" + "mat")(print)
print("ESCAPED:format_by_getattr" if text == "builtins" else "held")
