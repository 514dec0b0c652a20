import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageOps
import io


def make_image(size=64):
    img = Image.new("RGB", (size, size), (240, 240, 255))
    draw = ImageDraw.Draw(img)
    draw.rectangle([8, 8, 40, 30], fill=(200, 30, 30), outline=(0, 0, 0))
    draw.ellipse((20, 25, 56, 60), fill=(30, 120, 200))
    draw.line([(0, 63), (63, 0)], fill=(0, 160, 0), width=2)
    return img


def convolve(channel, kernel):
    k = kernel.shape[0] // 2
    padded = np.pad(channel.astype(float), k, mode="edge")
    out = np.zeros_like(channel, dtype=float)
    for i in range(kernel.shape[0]):
        for j in range(kernel.shape[1]):
            out += kernel[i, j] * padded[i:i + channel.shape[0], j:j + channel.shape[1]]
    return out


img = make_image()
gray = np.asarray(img.convert("L"))
sobel = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
gx, gy = convolve(gray, sobel), convolve(gray, sobel.T)
edges = np.hypot(gx, gy)
edges = (255 * edges / edges.max()).astype(np.uint8)
print(img.size, img.mode, gray.shape, gray.dtype, edges.max(), (edges > 128).sum() > 50)
Image.fromarray(edges).save("edges.png")
small = img.resize((32, 32), Image.Resampling.LANCZOS).rotate(90, expand=True).filter(ImageFilter.GaussianBlur(1))
print(small.size, img.getpixel((10, 10)), img.crop((8, 8, 16, 16)).getcolors()[:1], ImageOps.invert(img).getpixel((10, 10)))
hist = img.convert("L").histogram()
print(len(hist), sum(hist), np.histogram(gray, bins=4, range=(0, 256))[0].sum())
buf = io.BytesIO()
img.save(buf, format="PNG", optimize=True)
buf.seek(0)
again = Image.open(buf)
print(again.format, again.size, np.array_equal(np.asarray(again), np.asarray(img)))
threshold = gray > gray.mean()
print(f"{threshold.mean():.2f}", np.unique(np.asarray(img.quantize(4))).size <= 4)
with Image.open("edges.png") as e:
    print(e.mode, e.getextrema())
