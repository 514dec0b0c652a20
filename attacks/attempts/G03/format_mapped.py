"""str.format as a callback."""
text = list(map(str.format, ["{0.__se" + "lf__.__name__}"], [print]))[0]
print("ESCAPED:format_mapped" if text == "builtins" else "held")
