"""A wrapper round show() of a plotting library keeps what it replaced."""
import matplotlib.pyplot as plt

print("ESCAPED:figures_hook", plt.show.__globals__["sys"].modules["os"].getpid())
