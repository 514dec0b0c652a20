import matplotlib.pyplot as plt
from matplotlib import mathtext
from matplotlib.font_manager import FontProperties, findfont, FontManager, fontManager, get_font_names, ttfFontProperty, weight_dict
from matplotlib.textpath import TextPath, TextToPath, text_to_path
from matplotlib.mathtext import MathTextParser
import re, io

formulas = [r"$W^{3\beta}_{\delta_1 \rho_1 \sigma_2} = U^{3\beta}_{\delta_1 \rho_1} + \frac{1}{8 \pi 2} \int^{\alpha_2}_{\alpha_2} d \alpha^\prime_2$",
            r"$\mathcal{R}\prod_{i=\alpha_{i+1}}^\infty a_i\sin(2 \pi f x_i)$", r"$\sqrt[3]{\frac{X_2}{Y}}=5$", r"$\binom{n}{k} \overset{!}{=} \left\{ x \right\}$", r"$\overline{omega}^x \hat y \widetilde{xyz} \mathbb{R} \mathfrak{f} \operatorname{foo}$", r"$\genfrac{(}{)}{0}{}{a}{b} \substack{a\\b} \text{hi there}$"]
fig = plt.figure()
for i, f in enumerate(formulas):
    fig.text(0.05, 0.1 + 0.14 * i, f, fontsize=14, math_fontfamily=["cm", "stix", "dejavusans", "dejavuserif", "stixsans", "custom"][i])
fig.canvas.draw()
parser = MathTextParser("path")
r = parser.parse(formulas[2], dpi=72, prop=FontProperties(size=14))
print(round(r[0]) > 10, len(r), len(r[3]))
buf = io.BytesIO()
mathtext.math_to_image(formulas[1], buf, dpi=100, format="png")
print(buf.getvalue()[:4])
fp = FontProperties(family="serif", style="italic", weight=700, size="large", stretch=500)
print(fp.get_weight(), fp.get_fontconfig_pattern(), findfont(FontProperties("DejaVu Sans")).endswith("DejaVuSans.ttf"), fp.get_size() > 10, fp == fp.copy())
tp = TextPath((0, 0), r"$\beta$x", size=20, prop=fp)
print(tp.vertices.shape[1], len(tp.codes) > 5, text_to_path.get_text_width_height_descent("abc", FontProperties(), False)[0] > 0)
print("DejaVu Sans" in get_font_names(), weight_dict["bold"], any(f.name == "DejaVu Sans" for f in fontManager.ttflist))
try:
    fig.text(0.5, 0.5, r"$\foo{x$"); fig.canvas.draw()
except ValueError as e:
    print("ValueError", str(e).strip().splitlines()[-1][:60])
