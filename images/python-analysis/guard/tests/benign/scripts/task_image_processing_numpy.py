import numpy as np
from scipy import ndimage
import matplotlib.pyplot as plt

img = np.zeros((64, 64))
yy, xx = np.mgrid[:64, :64]
img[(yy - 20) ** 2 + (xx - 20) ** 2 < 100] = 1
img[40:55, 35:58] = 0.7
rng = np.random.default_rng(3)
noisy = img + rng.normal(0, 0.15, img.shape)

smooth = ndimage.gaussian_filter(noisy, 1.5)
median = ndimage.median_filter(noisy, size=3)
edges = np.hypot(ndimage.sobel(smooth, 0), ndimage.sobel(smooth, 1))
mask = smooth > 0.35
labels, count = ndimage.label(mask)
sizes = ndimage.sum(mask, labels, range(1, count + 1))
big = [i + 1 for i, s in enumerate(sizes) if s > 50]
print("objects:", len(big), "areas:", [int(sizes[i - 1]) for i in big])
print("centres:", [tuple(round(float(c)) for c in ndimage.center_of_mass(mask, labels, i)) for i in big])
print("dilated", int(ndimage.binary_dilation(mask).sum()) > int(mask.sum()), "eroded", int(ndimage.binary_erosion(mask).sum()) < int(mask.sum()))
print(ndimage.rotate(img, 45, reshape=False).shape, ndimage.zoom(img, 0.5).shape, ndimage.distance_transform_edt(mask).max() > 5)

hist, edges_ = np.histogram(noisy, bins=32)
fig, axs = plt.subplots(1, 4, figsize=(12, 3))
for ax, (title, im) in zip(axs, {"noisy": noisy, "smooth": smooth, "edges": edges, "labels": labels}.items()):
    ax.imshow(im, cmap="gray" if title != "labels" else "nipy_spectral")
    ax.set_title(title)
    ax.axis("off")
fig.savefig("image.png")
plt.imsave("raw.png", smooth, cmap="magma")
back = plt.imread("raw.png")
print(back.shape, back.dtype, float(back.max()) <= 1.0)
