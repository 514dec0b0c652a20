"""A colour bar formats its numbers by the script's text."""
import matplotlib.pyplot as plt
import numpy as np

image = plt.imshow(np.eye(2))
bar = plt.colorbar(image, format="{x.__cla" + "ss__.__init__.__objcl" + "ass__}")
plt.gcf().canvas.draw()
texts = [each.get_text() for each in bar.ax.get_yticklabels()]
print("ESCAPED:colorbar_format" if any("class" in each for each in texts) else "held", texts)
