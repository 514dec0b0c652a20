"""Mathtext, font families, text layout, text path, font listing."""
import matplotlib.pyplot as plt
import matplotlib as mpl
from matplotlib import font_manager, mathtext, ft2font
from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.text import Annotation, Text
from matplotlib.textpath import TextPath, TextToPath
from matplotlib.transforms import Affine2D, IdentityTransform

fig, ax = plt.subplots()
ax.text(0.1, 0.9, r"$W^{3\beta}_{\delta_1 \rho_1 \sigma_2} = U^{3\beta}_{\delta_1 \rho_1} + \frac{1}{8 \pi 2} \int^{\alpha_2}_{\alpha_2} d \alpha^\prime_2$")
for fam in ("serif", "sans-serif", "monospace"):
    ax.text(0.1, 0.2, fam, family=fam, fontproperties=FontProperties(family=fam, weight="bold", style="italic", size="x-large"))
t = Text(x=0.5, y=0.5, text="foo\nbar", linespacing=2, wrap=True, multialignment="right")
ax.add_artist(t)
tp = TextPath((0, 0), "Hello", size=1, prop=FontProperties(family="DejaVu Sans"))
ax.add_patch(PathPatch(tp, transform=Affine2D().scale(.1).translate(0.3, 0.3) + ax.transData))
fig.canvas.draw()
bbox = t.get_window_extent(renderer=fig.canvas.get_renderer())
print(bbox.width > 0, t.get_unitless_position(), len(tp.codes) == len(tp.vertices))
names = sorted({f.name for f in fontManager.ttflist})
print("DejaVu Sans" in names, FontProperties("serif").get_name() != "")
parser = mathtext.MathTextParser("path")
print(round(parser.parse(r"$x^2$", dpi=72).width) > 0)
mpl.rcParams["mathtext.fontset"] = "stix"
ax.set_title(r"$\mathcal{R}\prod_{i=\alpha_{i+1}}^\infty a_i\sin(2 \pi f x_i)$", math_fontfamily="cm")
fig.canvas.draw()
print(font_manager.findfont("monospace").endswith("ttf"), font_manager.weight_dict["bold"])
font = font_manager.get_font(font_manager.findfont("DejaVu Sans"))
print(font.family_name, font.num_glyphs > 1000, font.get_charmap()[ord("A")] > 0)
