"""A figure factory with dataclass options, context managers and its own repr for notebooks."""
from __future__ import annotations
import base64
import contextlib
import io
from dataclasses import dataclass, field
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd


@dataclass
class Options:
    size: tuple = (4.0, 3.0)
    style: dict = field(default_factory=lambda: {"lines.linewidth": 0.9, "axes.grid": True})
    formats: list = field(default_factory=lambda: ["png"])


class Report:
    def __init__(self, title, options=None):
        self.title = title
        self.options = options or Options()
        self._items = []

    @contextlib.contextmanager
    def panel(self, name):
        with plt.rc_context(self.options.style):
            fig, ax = plt.subplots(figsize=self.options.size)
            try:
                yield ax
            finally:
                ax.set_title(name)
                buf = io.BytesIO()
                fig.savefig(buf, format="png")
                self._items.append((name, buf.getvalue()))
                plt.close(fig)

    def table(self, frame, caption=""):
        self._items.append((caption, frame))
        return self

    def _repr_html_(self):
        parts = [f"<h1>{self.title}</h1>"]
        for name, item in self._items:
            if isinstance(item, bytes):
                parts.append(f'<img alt="{name}" src="data:image/png;base64,{base64.b64encode(item).decode()[:20]}"/>')
            else:
                parts.append(item._repr_html_())
        return "\n".join(parts)

    def _repr_png_(self):
        return next(item for _, item in self._items if isinstance(item, bytes))

    def _repr_latex_(self):
        return rf"\section{{{self.title}}}"


rng = np.random.default_rng(11)
frame = pd.DataFrame(rng.normal(size=(30, 3)).cumsum(axis=0), columns=["core", "mantle", "crust"])
report = Report("Heat flow")
with report.panel("drift") as ax:
    frame.plot(ax=ax, legend=False)
with report.panel("spread") as ax:
    ax.boxplot(frame.to_numpy(), tick_labels=list(frame), showmeans=True)
report.table(frame.describe().round(2), "summary")
page = report._repr_html_()
print(len(report._items), page.count("<img"), "<table" in page, report._repr_png_()[:4], report._repr_latex_())
print(frame.head(2)._repr_html_().count("<td>"), frame.style.format("{:.1f}")._repr_html_()[:6])
(OUTPUT / "report.html").write_text(page)
