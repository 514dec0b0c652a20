"""An image is written outside."""
import matplotlib.pyplot as plt
import numpy as np

plt.imsave("@OUTSIDE@/i.png", np.zeros((2, 2)))
print("ESCAPED:matplotlib_imsave")
