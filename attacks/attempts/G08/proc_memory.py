"""The process's memory by its name below /proc."""
import numpy as np

text = np.genfromtxt("/proc/self/maps", dtype=str, delimiter="\n")
print("ESCAPED:proc_memory", text[0])
