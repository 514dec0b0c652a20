import matplotlib.pyplot as plt
import numpy as np
x = np.arange(0, 1, .01); lines = plt.plot(x, np.sin(2 * np.pi * x), x, np.sin(4 * np.pi * x)); l1, l2 = lines; plt.setp(lines, linestyle="dashed"); plt.setp(l1, linewidth=2, color="r"); plt.setp(l2, "linewidth", 1, "color", "g"); print(plt.getp(l1, "linestyle"), plt.getp(l1, "xydata").shape, plt.get(l2, "lw") if False else l2.get_lw()); plt.setp(plt.gca().get_xticklabels(), rotation=45, ha="right"); plt.setp(plt.gca(), title="T", xlabel="x")
import io, contextlib
b = io.StringIO()
with contextlib.redirect_stdout(b): plt.setp(l1); plt.getp(l1); plt.setp(l1, "linestyle")
print(len(b.getvalue()) > 1000, "linewidth" in b.getvalue())
