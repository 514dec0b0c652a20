"""Agg buffer to array; hex string; PIL."""
import io
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib import image as mpimg
import matplotlib

fig = Figure(figsize=(5, 4), dpi=100)
canvas = FigureCanvasAgg(fig)
ax = fig.add_subplot()
ax.plot([1, 2, 3])
canvas.draw()
rgba = np.asarray(canvas.buffer_rgba())
print(rgba.shape, rgba.dtype, canvas.get_width_height())
s, (width, height) = canvas.print_to_buffer()
X = np.frombuffer(s, np.uint8).reshape((height, width, 4))
print((X == rgba).all(), len(canvas.tostring_argb()))
buf = io.BytesIO()
fig.savefig(buf, format="png", metadata={"Title": "demo"}, bbox_inches="tight", pad_inches=0)
buf.seek(0)
img = mpimg.imread(buf)
print(img.ndim, img.dtype, buf.getvalue()[:4])
for fmt in ("svg", "pdf", "ps", "eps", "raw", "rgba", "svgz", "jpg", "webp"):
    b = io.BytesIO()
    fig.savefig(b, format=fmt)
    print(fmt, b.tell() > 100)
print(matplotlib.get_backend().lower(), sorted(canvas.get_supported_filetypes())[:4])
