"""PIL's encoder for TIFF, which tobytes() takes by its name, writes to a descriptor that is only a number."""
from PIL import Image

TAGS = [(256, 64), (257, 64), (258, 8), (259, 1), (262, 1), (277, 1), (278, 64)]

with open("pixels", "w+b") as file:
    number = file.fileno()
    try:
        Image.new("L", (64, 64), 65).tobytes("libtiff", ("L", "raw", number, "x", TAGS, {tag: 4 for tag, _ in TAGS}))
    except Exception:
        pass
with open("pixels", "rb") as file:
    print("ESCAPED:pixels_by_a_codec" if b"A" * 64 in file.read() else "held")
