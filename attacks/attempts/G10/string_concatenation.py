"""Adjacent strings are one, in a format string, too."""
text = ("{0.__" "self__.__na" "me__}").format(print)
print("ESCAPED:string_concatenation" if text == "builtins" else "held")
