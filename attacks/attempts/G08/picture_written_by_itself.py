"""PIL's native image writes a PPM file, and opens it by itself."""
from PIL import Image

Image.new("L", (4, 4)).getdata().save_ppm("@OUTSIDE@/written.ppm")
print("ESCAPED:picture_written_by_itself")
