"""A figure is written outside."""
import matplotlib.pyplot as plt

plt.figure().savefig("@OUTSIDE@/f.png")
print("ESCAPED:matplotlib_savefig")
