"""A picture of three bands gets the pixels of one: native code reads three bytes where there is one."""
from PIL import Image

size = (4000, 20)
picture = Image.new("RGB", size)
picture.im = Image.new("L", size, 65).getdata()
pixels = picture.tobytes()
print("ESCAPED:picture_of_another_mode" if pixels.count(65) != len(pixels) else "held")
