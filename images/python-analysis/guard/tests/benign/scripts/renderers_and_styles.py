"""What notebooks and desktops set before they draw."""

import warnings

import matplotlib
import matplotlib.pyplot as plt
import plotly.graph_objects as go
import plotly.io as pio

warnings.filterwarnings("ignore")
matplotlib.use("Agg")
plt.style.use("seaborn-v0_8-whitegrid" if "seaborn-v0_8-whitegrid" in plt.style.available else "default")
plt.rcParams.update({"figure.figsize": (6, 4), "font.size": 11, "axes.grid": True})
pio.templates.default = "plotly_white"
print(pio.templates.default, plt.rcParams["font.size"])

fig, ax = plt.subplots()
ax.bar(["a", "b"], [1, 2])
plt.tight_layout()

figure = go.Figure(go.Bar(x=["a", "b"], y=[1, 2]))
figure.update_layout(title="bars")
print(figure.layout.title.text, len(figure.data))
