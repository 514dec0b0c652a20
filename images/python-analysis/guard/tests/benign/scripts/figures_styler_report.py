"""Styled tables next to figures: Styler, sparkline images in HTML, repr of a figure class."""
import base64
import io
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

rng = np.random.default_rng(15)
wards = pd.DataFrame({"beds": rng.integers(10, 40, 5), "rate": rng.uniform(0.4, 1, 5), "delta": rng.normal(0, 5, 5)}, index=pd.Index(list("ABCDE"), name="ward"))
trend = {w: rng.normal(0, 1, 30).cumsum() for w in wards.index}


class Spark:
    """A picture of one line that shows itself in a notebook."""

    def __init__(self, values):
        self.values = values

    def _png(self):
        fig, ax = plt.subplots(figsize=(1.2, 0.3))
        ax.plot(self.values, lw=0.8)
        ax.plot(len(self.values) - 1, self.values[-1], "r.")
        ax.axis("off")
        buf = io.BytesIO()
        fig.savefig(buf, format="png", transparent=True, bbox_inches="tight", pad_inches=0)
        plt.close(fig)
        return buf.getvalue()

    def _repr_png_(self):
        return self._png()

    def _repr_html_(self):
        return f'<img src="data:image/png;base64,{base64.b64encode(self._repr_png_()).decode()}">'

    def __repr__(self):
        return f"Spark({len(self.values)})"


wards["trend"] = [Spark(trend[w]) for w in wards.index]
styled = (wards.drop(columns="trend").style.format({"rate": "{:.0%}", "delta": "{:+.1f}"}).background_gradient(subset="rate", cmap="Greens")
          .bar(subset=["beds"], color="#d65f5f", align="zero").map(lambda v: "color: red" if v < 0 else "", subset=["delta"])
          .set_caption("wards").highlight_max(axis=0, props="font-weight: bold").set_table_styles([{"selector": "th", "props": [("text-align", "left")]}]))
html = styled.to_html(table_uuid="w")
print(html.count("<tr"), "linear-gradient" in html, "caption" in html, styled._repr_html_().startswith("<style"))
page = wards.to_html(formatters={"trend": lambda s: s._repr_html_()}, escape=False, float_format="{:.1f}".format)
print(page.count("<img"), wards.trend.iloc[0], wards._repr_html_().count("Spark("), wards["rate"].to_frame()._repr_html_()[:5])
try:
    print(styled._repr_latex_())
except AttributeError as error:
    print("no latex")
print(wards.drop(columns="trend").to_latex(float_format="%.1f").count("\\\\"), pd.options.display.max_rows)
(OUTPUT / "wards.html").write_text(html + page)
styled.to_excel(OUTPUT / "wards.xlsx") if False else None
