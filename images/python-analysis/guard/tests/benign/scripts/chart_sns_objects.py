import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn.objects as so
import seaborn as sns

rng = np.random.default_rng(4)
df = pd.DataFrame({"x": rng.random(40), "y": rng.random(40), "g": rng.choice(list("ab"), 40), "m": rng.choice(["u", "v"], 40)})
p = (so.Plot(df, x="x", y="y", color="g").add(so.Dots(pointsize=4, alpha=.5), so.Jitter(.1)).add(so.Line(linewidth=1), so.PolyFit(2)).facet("m").scale(color="viridis" if False else {"a": "r", "b": "#00f"}, x=so.Continuous().tick(at=[0, .5, 1]).label(like="{x:.1f}")).label(x="X", title="{}".format, color=str.upper).limit(y=(0, 1)).layout(size=(6, 3)).theme({"axes.facecolor": "w"}))
f = p.plot()
fig = plt.figure(); so.Plot(df, "g", "y").add(so.Bar(width=.5), so.Agg("mean"), so.Dodge(), color="m").add(so.Range(), so.Est(errorbar="sd", seed=0), so.Dodge(), color="m").on(fig).plot(); print(len(fig.axes), fig.axes[0].get_xlabel())
so.Plot(df, x="y").add(so.Bars(), so.Hist(bins=5), so.Stack(), color="g").add(so.Area(), so.KDE()).share(x=False).scale(y="log" if False else so.Continuous()).save("so.png")
class Top(so.Move if hasattr(so, "Move") else object): pass
so.Plot(df).pair(x=["x"], y=["y", "x"]).add(so.Dot(marker="x", edgecolor="k")).add(so.Text(), text="g").plot()
so.Plot(x=[1, 2, 3], y=[1, 3, 2]).add(so.Path(color=".3", linestyle="--")).add(so.Band(), so.Perc([25, 75]) if False else so.Est()).add(so.Dash()).scale(pointsize=(2, 5)).plot(); print(type(f).__name__, so.Plot.config.display["format"], type(p).__name__)
