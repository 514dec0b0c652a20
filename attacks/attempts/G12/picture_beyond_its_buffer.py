"""PIL puts a picture on a buffer, and believes the distance of its rows: the last row reaches beyond."""
from PIL import Image

pixels = Image.frombuffer("L", (1 << 16, 1), b"x" * 8, "raw", "L", 1, 1).tobytes()
print("ESCAPED:picture_beyond_its_buffer" if any(pixels[8:]) else "held")
