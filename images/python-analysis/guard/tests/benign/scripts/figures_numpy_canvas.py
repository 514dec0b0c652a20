"""From figure to array and back: buffers, tight boxes, compositing of two renders, difference images."""
import io
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.image import imread, imsave
from PIL import Image, ImageChops, ImageOps


def render(colour, dpi=60):
    fig = Figure(figsize=(3, 2), dpi=dpi)
    canvas = FigureCanvasAgg(fig)
    ax = fig.add_subplot()
    ax.plot(np.arange(5) ** 2, color=colour)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba()).copy()


first, second = render("red"), render("blue")
print(first.shape, first.dtype, (first != second).any(axis=2).sum() > 50)
w, h = first.shape[1], first.shape[0]
picture = Image.fromarray(first).convert("RGB")
delta = ImageChops.difference(picture, Image.fromarray(second).convert("RGB"))
print(delta.getbbox() is not None, ImageOps.grayscale(delta).getextrema())
sheet = Image.new("RGB", (2 * w + 6, h), "white")
for k, array in enumerate((first, second)):
    sheet.paste(Image.fromarray(array).convert("RGB"), (k * (w + 6), 0))
sheet.save("sheet.png", dpi=(60, 60))
fig, ax = plt.subplots()
ax.imshow(sheet)
ax.imshow(np.tril(np.ones((20, 20))), extent=(0, 60, 60, 0), alpha=0.3, cmap="Reds")
fig.canvas.draw()
tight = fig.get_tightbbox()
print(tight.width > 0, ax.get_window_extent().transformed(fig.dpi_scale_trans.inverted()).width > 0)
raw = np.frombuffer(fig.canvas.tostring_argb(), dtype=np.uint8).reshape(*fig.canvas.get_width_height()[::-1], 4)
imsave("raw.png", raw[..., 1:])
buf = io.BytesIO()
fig.savefig(buf, format="raw", dpi=50)
flat = np.frombuffer(buf.getvalue(), np.uint8)
back = imread("raw.png")
thumb = Image.open("raw.png")
thumb.thumbnail((64, 64))
icons = [thumb.rotate(a, fillcolor="white") for a in (0, 15, 30)]
icons[0].save("turn.gif", save_all=True, append_images=icons[1:], duration=80)
print(raw.shape, flat.size % 4, back.shape, thumb.size, np.array(Image.open("turn.gif").convert("L")).shape)
print(Image.open("sheet.png").info.get("dpi") is not None, hash(picture.tobytes()) == hash(Image.fromarray(first).convert("RGB").tobytes()))
