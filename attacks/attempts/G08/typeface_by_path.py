"""FreeType opens a font's file by itself, and says whether it could: no font is at that path."""
from PIL import ImageFont

try:
    ImageFont.FreeTypeFont("@CANARY@", 12)
except OSError as error:
    print("ESCAPED:typeface_by_path" if "unknown file format" in str(error) else "held")
