"""Bytes of a class that says how many there are: PIL puts as many into a picture."""
from PIL import Image


class Longer(bytes):
    def __len__(self):
        return 10000


picture = Image.new("L", (100, 100))
picture.putdata(Longer(b"abc"))
print("ESCAPED:pixels_beyond_their_bytes" if any(picture.tobytes()[16:]) else "held")
