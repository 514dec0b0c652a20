"""A figure that is saved when the run ends calls the script's canvas: it holds the renderer's module."""
import matplotlib.pyplot as plt

figure = plt.figure()
found = figure.canvas.print_figure.__func__.__globals__
print("ESCAPED:rc_at_the_end", found["os"].getpid())
