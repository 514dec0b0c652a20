"""A format field that goes through an index first."""
text = ("{0[0]" + ".__self__.__name__}").format([print])
print("ESCAPED:format_index_then_attribute" if text == "builtins" else "held")
