"""str.format reached through the class of a literal."""
text = "".__class__.format("{0.__self__." + "__name__}", print)
print("ESCAPED:format_of_class" if text == "builtins" else "held")
