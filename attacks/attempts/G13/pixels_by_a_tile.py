"""PIL's decoder for TIFF reads from a descriptor that is only a number: the one that an object says it has."""
from PIL import Image


class Number:
    def __init__(self, number):
        self.number = number

    def fileno(self):
        return self.number

    def seek(self, *place):
        return 0

    def tell(self):
        return 0

    def read(self, *size):
        return b""


Image.new("L", (8, 8), 65).save("taken.tif", compression="tiff_lzw")
Image.new("L", (8, 8), 66).save("opened.tif", compression="tiff_lzw")
with open("taken.tif", "rb") as file:
    picture = Image.open("opened.tif")
    picture.fp = Number(file.fileno())
    found = []
    for read in (picture.load, lambda: found.append(picture.getpixel((1, 1)))):
        try:
            read()
        except Exception:
            continue
print("ESCAPED:pixels_by_a_tile" if found == [65] else "held")
