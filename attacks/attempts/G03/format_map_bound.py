"""A bound format_map as a value, called later by another."""
import functools

bound = "".join(["{f.__sel", "f__.__name__}"]).format_map
text = functools.reduce(lambda value, step: step(value), [bound], {"f": print})
print("ESCAPED:format_map_bound" if text == "builtins" else "held")
