"""Pillow: arrays to pictures and back, files of each format, filters, letters, frames."""
import io
import numpy as np
import matplotlib.pyplot as plt
from PIL import Image, ImageDraw, ImageFont, ImageFilter, ImageOps, ImageEnhance, ImageChops, ImageColor, ImageStat, UnidentifiedImageError
import PIL
print(PIL.__version__, PIL.Image is Image)
rng = np.random.default_rng(5)
a = rng.integers(0, 255, (40, 60, 3), dtype=np.uint8)
im = Image.fromarray(a)
print(im.size, im.mode, im.getpixel((3, 4)), np.asarray(im).sum(), np.array(im.convert("L")).mean().round(3))
for kind in ("png", "jpg", "bmp", "gif", "tif", "ppm"):
    im.save(OUTPUT / f"x.{kind}")
    with Image.open(OUTPUT / f"x.{kind}") as back:
        back.load()
        print(kind, back.format, back.size, back.mode, back.filename.endswith(f"x.{kind}"))
    buf = io.BytesIO()
    im.save(buf, format={"jpg": "JPEG", "tif": "TIFF"}.get(kind, kind.upper()))
    buf.seek(0)
    print(np.asarray(Image.open(buf)).shape)
im.save(OUTPUT / "lzw.tiff", compression="tiff_lzw"); print(Image.open(OUTPUT / "lzw.tiff").getpixel((3, 4)))
im.save(OUTPUT / "zip.tiff", compression="tiff_adobe_deflate"); print(Image.open(str(OUTPUT / "zip.tiff")).getpixel((3, 4)))
t = im.copy(); t.thumbnail((20, 20)); print(t.size)
print(im.resize((10, 8), Image.LANCZOS).size, im.crop((1, 2, 11, 12)).size, im.rotate(30, expand=True).size, im.transpose(Image.Transpose.ROTATE_90).size)
d = ImageDraw.Draw(im)
d.rectangle((2, 2, 20, 20), outline="red", fill=(0, 0, 255)); d.line([(0, 0), (59, 39)], fill=128, width=3)
d.ellipse((30, 5, 50, 25), fill="#00ff00"); d.polygon([(1, 30), (20, 39), (5, 38)], fill="white")
d.text((5, 5), "ab", fill="white")
font = ImageFont.load_default(14)
print(font.getbbox("Hello"), font.getlength("Hello"), font.getname(), font.getmetrics(), d.textbbox((0, 0), "Hello", font=font))
d.text((5, 20), "Hello", font=font, fill="yellow", stroke_width=1, anchor="lt")
print(np.asarray(im).sum())
for f in (ImageFilter.BLUR, ImageFilter.GaussianBlur(2), ImageFilter.MedianFilter(3), ImageFilter.FIND_EDGES, ImageFilter.Kernel((3, 3), [1] * 9), ImageFilter.UnsharpMask()):
    print(np.asarray(im.filter(f)).sum())
g = ImageOps.grayscale(im)
print(np.asarray(ImageOps.autocontrast(g)).sum(), np.asarray(ImageOps.equalize(g)).sum(), np.asarray(ImageOps.invert(g)).sum(), ImageOps.expand(g, 3, "black").size)
print(np.asarray(ImageEnhance.Contrast(im).enhance(1.5)).sum(), np.asarray(ImageChops.difference(im, im.filter(ImageFilter.BLUR))).sum())
print(ImageColor.getrgb("steelblue"), [round(v, 3) for v in ImageStat.Stat(im).mean])
print(g.histogram()[:5], g.getextrema(), g.getbbox(), im.getbands(), len(list(g.getdata())), list(g.getdata())[:4], g.point(lambda v: v // 2).getpixel((0, 0)))
r, gg, b = im.split(); print(Image.merge("RGB", (b, gg, r)).getpixel((0, 0)), Image.blend(r, b, 0.5).getpixel((3, 3)))
canvas = Image.new("RGBA", (100, 80), (255, 255, 255, 0)); canvas.paste(im, (10, 10)); print(canvas.getpixel((12, 12)), Image.alpha_composite(canvas, canvas).size)
px = im.load(); px[0, 0] = (1, 2, 3); print(im.getpixel((0, 0)), im.tobytes()[:6])
print(Image.frombytes("L", (2, 2), b"abcd").getpixel((1, 1)), Image.frombuffer("L", (2, 2), b"abcd", "raw", "L", 0, 1).getpixel((0, 1)))
frames = [Image.fromarray(np.full((10, 10), v, np.uint8)) for v in (0, 100, 200)]
frames[0].save(OUTPUT / "a.gif", save_all=True, append_images=frames[1:], duration=100, loop=0)
an = Image.open(OUTPUT / "a.gif"); print(an.n_frames, an.is_animated, an.info.get("duration"))
try:
    Image.open(OUTPUT / "nowhere.png")
except FileNotFoundError as e:
    print("no file")
(OUTPUT / "t.png").write_text("not a picture")
try:
    Image.open(OUTPUT / "t.png")
except UnidentifiedImageError as e:
    print("unidentified")
try:
    im.save(OUTPUT / "x.qqq")
except ValueError as e:
    print(e)
try:
    ImageFont.truetype("Nowhere.ttf", 12)
except OSError as e:
    print(type(e).__name__, e)
fig, ax = plt.subplots(1, 2)
ax[0].imshow(im); ax[1].imshow(np.asarray(g), cmap="gray")
fig.savefig(OUTPUT / "f.png")
buf = io.BytesIO(); fig.savefig(buf, format="png"); buf.seek(0)
shot = Image.open(buf); print(shot.size, shot.mode)
plt.imsave(OUTPUT / "s.png", np.asarray(g)); print(plt.imread(OUTPUT / "x.jpg").shape)
im.show()
q = im.quantize(8); print(q.mode, len(q.getpalette()), len(q.getcolors()))
print(im == im.copy(), isinstance(im, Image.Image), im.info, im.getexif())
