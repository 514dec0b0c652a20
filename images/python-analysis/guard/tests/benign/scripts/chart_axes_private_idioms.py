import matplotlib.pyplot as plt
import numpy as np
fig, ax = plt.subplots()
c = ax._get_lines.get_next_color()
ax.plot([1, 2], color=c); print(c, ax._get_lines.get_next_color())
ax2 = ax.twinx(); ax2._get_lines = ax._get_lines; ax2._get_patches_for_fill = ax._get_patches_for_fill
ax2.plot([3, 4]); print(ax2.lines[0].get_color())
