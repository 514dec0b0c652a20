"""The attribute stands in a nested format specification."""
text = ("{0:{1.__self__" + ".__name__}}")
try:
    text.format(1, print)
except ValueError as error:
    print("ESCAPED:format_nested_spec" if "builtins" in str(error) else "held")
