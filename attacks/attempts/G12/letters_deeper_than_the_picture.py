"""FreeType's letters in colour, four bytes a dot, are drawn into an image with one, which a function of the script's returns."""
from PIL import Image, ImageFont

given = []


def fill(width, height):
    given.append(Image.new("L", (width, height + 8)))
    return given[0].getdata()


font = ImageFont.load_default(20).font
font.render("W", fill, "RGBA", None, None, None, 0, None, 0xFFFFFFFF, 0, 0)
print("ESCAPED:letters_deeper_than_the_picture" if given and any(given[0].getdata()) else "held")
