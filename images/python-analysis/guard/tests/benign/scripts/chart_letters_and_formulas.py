"""Letters as shapes: fonts that are there, formulas of a dosing protocol, text as paths, and measured layout."""
import io
import os.path

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib import font_manager, ft2font, mathtext
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.text import Text
from matplotlib.textpath import TextPath, text_to_path
from matplotlib.transforms import Affine2D

protocol = {
    "cm": r"$C_{max} = \frac{F \cdot D}{V_d}\, e^{-k\,t_{max}}$",
    "stix": r"$\mathrm{AUC}_{0}^{\infty} = \int_0^\infty C(t)\,dt$",
    "dejavusans": r"$t_{1/2} = \ln 2 / k \approx 0.693\,\sqrt{\tau_1\tau_2}$",
    "dejavuserif": r"$\hat{\theta} \in \left[\bar{x} \pm z_{0.975}\,\sigma/\sqrt{n}\right]$",
    "stixsans": r"$\sum_{j=1}^{m} w_j = 1,\ \mathcal{L} \propto \prod_j p_j$",
}
fig, ax = plt.subplots(figsize=(6, 4))
for row, (family, formula) in enumerate(protocol.items()):
    ax.text(0.05, 0.85 - 0.18 * row, formula, math_fontfamily=family, fontsize=11)
name = font_manager.findfont(FontProperties(family="DejaVu Sans", weight="bold"))
face = ft2font.FT2Font(name)
face.set_size(20, 72)
face.set_text("Dosis 5", 0.0)
width, height = face.get_width_height()
glyph = face.load_char(ord("D"))
print(os.path.basename(name), face.family_name, face.style_name, width > height > 0, glyph.horiAdvance > 0, face.get_char_index(ord("D")) == face.get_name_index("D"))
print(face.get_path()[0].shape[1], ord("D") in face.get_charmap(), face.units_per_EM, os.path.join(mpl.get_data_path(), "fonts").endswith("fonts"))
properties = FontProperties("serif", style="italic", stretch="condensed", size="xx-large")
print(properties.get_style(), properties.get_stretch(), properties.get_size_in_points() > 12, properties.copy() == properties, properties.get_fontconfig_pattern())
letters = TextPath((0, 0), "mg/kg", size=10, prop=FontProperties(weight="bold"))
ax.add_patch(PathPatch(letters, transform=Affine2D().scale(0.02).translate(0.6, 0.05) + ax.transAxes, fc="0.6"))
print(letters.get_extents().width > 10, len(letters.codes) == len(letters.vertices), text_to_path.get_text_width_height_descent("mg", properties, False)[0] > 0)
note = ax.text(0.5, 0.5, "a rather long remark that has to be broken into lines", wrap=True, rotation=15, rotation_mode="anchor", bbox={"fc": "w"}, linespacing=1.3)
fig.canvas.draw()
print(note.get_window_extent().width < fig.bbox.width, note.get_wrap(), note.get_rotation_mode(), isinstance(note, Text), note.get_unitless_position())
parsed = mathtext.MathTextParser("path").parse(protocol["cm"], dpi=100, prop=FontProperties(size=9))
picture = io.BytesIO()
depth = mathtext.math_to_image(protocol["stix"], picture, dpi=80, format="png")
print(len(parsed), parsed[0] > 10, picture.getvalue()[1:4], depth >= 0)
try:
    ax.text(0, 0, r"$\frac{1}{$")
    fig.canvas.draw()
except ValueError as error:
    print(str(error).splitlines()[0])
with mpl.rc_context({"font.family": "monospace", "axes.formatter.use_mathtext": True, "mathtext.default": "regular"}):
    print(mpl.rcParams["font.family"], plt.rcParams["mathtext.default"])
print("DejaVu Sans" in font_manager.get_font_names(), font_manager.weight_dict["bold"], sorted({entry.style for entry in font_manager.fontManager.ttflist if entry.name == "DejaVu Sans"}))
