import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.transforms import Affine2D

fig, axs = plt.subplots(2, 2, figsize=(8, 6))
for i, (style, name) in enumerate(Line2D.lineStyles.items()):
    axs[0, 0].plot([0, 1], [i, i], ls=style if style.strip() else "none", label=name)
unfilled = [m for m, func in Line2D.markers.items() if func != "nothing" and m not in Line2D.filled_markers]
print(len(unfilled), sorted(map(str, Line2D.filled_markers))[:5], Line2D.fillStyles)
for k, m in enumerate(Line2D.filled_markers):
    axs[0, 1].plot(k % 5, k // 5, marker=m, fillstyle=Line2D.fillStyles[k % 5], markersize=12, markerfacecoloralt="lightsteelblue")
t = Affine2D().rotate_deg(30).scale(1.5)
ms = MarkerStyle("^", "left", t, joinstyle="round", capstyle="butt")
axs[1, 0].plot([1, 2, 3], marker=ms, ms=20)
print(ms.get_marker(), ms.get_fillstyle(), ms.get_capstyle(), ms.get_path().vertices.shape, ms.rotated(deg=20).get_user_transform() is not None)
line, = axs[1, 1].plot([1, 2, np.nan, 4], drawstyle="steps-mid", dashes=[6, 2], gapcolor="tab:pink", solid_capstyle="round", markevery=(1, 2), marker="o")
line.set_dash_capstyle("round")
line.set_dashes([2, 2, 10, 2])
print(line.get_drawstyle(), line.get_markevery(), line.is_dashed(), line.get_xydata().shape, line.get_path().codes)
fig.canvas.draw()
print(line.get_window_extent().width > 0, line.contains_point if hasattr(line, "contains_point") else "none")
