from PIL import Image, ImageDraw, ImageFilter, ImageFont, ImageOps, ImageEnhance, ImageChops
import numpy as np, io
im = Image.new("RGB", (120, 80), "navy"); d = ImageDraw.Draw(im)
d.rectangle([10, 10, 50, 40], fill="orange", outline="white", width=2); d.ellipse((60, 20, 110, 70), fill=(0, 160, 90)); d.line([(0, 79), (119, 0)], fill="red", width=3); d.polygon([(5, 75), (20, 50), (35, 75)], fill="#cccccc"); d.text((12, 45), "tile", fill="white", font=ImageFont.load_default())
im.save("tile.png"); im.save("tile.jpg", quality=85)
print(im.size, im.mode, im.getpixel((15, 15)), Image.open("tile.png").format, len(im.getcolors(10000)) > 3)
g = ImageOps.grayscale(im); print(np.asarray(g).mean().round(1), g.histogram()[:3], im.resize((30, 20), Image.LANCZOS).size, im.rotate(90, expand=True).size, im.crop((0, 0, 40, 30)).getbbox(), im.transpose(Image.FLIP_LEFT_RIGHT).getpixel((119 - 15, 15)))
b = im.filter(ImageFilter.GaussianBlur(2)); e = ImageEnhance.Contrast(im).enhance(1.5); print(b.getpixel((0, 0)), ImageChops.difference(im, b).getbbox() is not None, e.size)
arr = np.zeros((16, 16, 3), np.uint8); arr[::2] = [255, 0, 0]; t = Image.fromarray(arr); t.thumbnail((8, 8)); print(t.size, t.convert("L").point(lambda v: 255 if v > 40 else 0).getextrema())
sheet = Image.new("RGBA", (240, 80), (0, 0, 0, 0)); sheet.paste(im, (0, 0)); sheet.alpha_composite(im.convert("RGBA"), (120, 0)); buf = io.BytesIO(); sheet.save(buf, "PNG"); buf.seek(0); print(Image.open(buf).mode, [c.mode for c in im.split()], Image.merge("RGB", im.split()[::-1]).getpixel((0, 0)))
frames = [Image.new("P", (8, 8), i) for i in range(3)]; frames[0].save("a.gif", save_all=True, append_images=frames[1:], duration=100, loop=0); print(Image.open("a.gif").n_frames)
