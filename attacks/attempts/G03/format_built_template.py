"""A format string that is built at run time reads an attribute.

Selected: yes
"""
template = "".join(["{0.__se", "lf__.__na", "me__}"])
text = template.format(print)
print("ESCAPED:format_built_template" if text == "builtins" else "held")
