"""A tick's formatter formats any object."""
import matplotlib.ticker

text = matplotlib.ticker.StrMethodFormatter("{x.__self__.__name__}")(print, 0)
print("ESCAPED:tick_format" if text == "builtins" else "held")
