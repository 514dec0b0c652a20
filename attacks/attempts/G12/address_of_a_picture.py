"""PIL's native image tells where its memory is."""
from PIL import Image

pointers = dict(Image.new("L", (4, 4)).getdata().unsafe_ptrs)
print("ESCAPED:address_of_a_picture" if pointers["image"] > 4096 else "held")
