"""An axis makes a formatter of a text."""
import matplotlib.pyplot as plt

axes = plt.figure().add_subplot()
axes.xaxis.set_major_formatter("{x.__self__.__name__}")
text = axes.xaxis.get_major_formatter()(print)
print("ESCAPED:axis_format" if text == "builtins" else "held")
