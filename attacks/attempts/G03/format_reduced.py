"""functools.reduce calls the format method of str with the script's text."""
import functools
import matplotlib.pyplot as plt

text = functools.reduce(str.format, ["{0.__glo" + "bals__[sys].version}", plt.figure])
print("ESCAPED:format_reduced", text[:20])
