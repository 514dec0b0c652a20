import matplotlib
import os, os.path
import matplotlib.ft2font as ft
from matplotlib import font_manager as fm
from matplotlib.font_manager import FontProperties
font = ft.FT2Font(os.path.join(matplotlib.get_data_path(), "fonts/ttf/DejaVuSans-Oblique.ttf"))
print(font.num_faces, font.num_glyphs, font.family_name, font.style_name, font.postscript_name, font.units_per_EM, font.bbox, len(font.get_charmap()) > 100, font.get_name_index("A"), font.get_char_index(65))
font.set_size(12, 72); font.set_text("hello", 0.0); print(font.get_width_height()[0] > 0, font.get_descent() >= 0, font.get_kerning(1, 2, ft.Kerning.DEFAULT if hasattr(ft, "Kerning") else ft.KERNING_DEFAULT)); g = font.load_char(65); print(g.width > 0, g.linearHoriAdvance > 0, font.get_sfnt()[1, 0, 0, 1][:3] if (1, 0, 0, 1) in font.get_sfnt() else "", font.get_glyph_name(5), font.get_path()[0].shape[1])
f2 = fm.get_font(fm.findfont(FontProperties())); print(type(f2).__name__, f2.fname.endswith(".ttf"), fm.FontEntry.__name__, len(fm.findSystemFonts()) >= 0)
