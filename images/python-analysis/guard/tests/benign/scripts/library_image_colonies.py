# # Counting colonies on a simulated plate
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from scipy import ndimage as ndi

rng = np.random.default_rng(44)
plate = np.zeros((200, 200))
for _ in range(35):
    cy, cx = rng.integers(10, 190, 2)
    yy, xx = np.ogrid[:200, :200]
    plate[(yy - cy) ** 2 + (xx - cx) ** 2 < rng.integers(3, 8) ** 2] = rng.uniform(.6, 1)
noisy = ndi.gaussian_filter(plate, 1) + rng.normal(0, .08, plate.shape)
smooth = ndi.median_filter(noisy, size=3)

def otsu(im, bins=128):
    h, e = np.histogram(im, bins)
    m = (e[1:] + e[:-1]) / 2
    w = np.cumsum(h); mu = np.cumsum(h * m)
    with np.errstate(all="ignore"):
        v = (mu[-1] * w / w[-1] - mu) ** 2 / (w * (w[-1] - w))
    return m[np.nanargmax(v)]

th = otsu(smooth)
mask = ndi.binary_opening(smooth > th, structure=np.ones((3, 3)))
mask = ndi.binary_fill_holes(mask)
lab, k = ndi.label(mask)
idx = np.arange(1, k + 1)
props = pd.DataFrame({"area": ndi.sum_labels(mask, lab, idx), "mean": ndi.mean(noisy, lab, idx), "sd": ndi.standard_deviation(noisy, lab, idx), "max": ndi.maximum(noisy, lab, idx)}, index=idx)
cen = np.array(ndi.center_of_mass(noisy, lab, idx))
props["cy"], props["cx"] = cen.T
print("threshold", th.round(3), "objects", k)
print(props.describe().round(2))
sl = ndi.find_objects(lab)
print(sl[0], lab[sl[0]].shape)
dist = ndi.distance_transform_edt(mask)
peaks = (dist == ndi.maximum_filter(dist, 9)) & (dist > 2)
markers, m = ndi.label(peaks)
ws = ndi.watershed_ift((255 * (1 - dist / dist.max())).astype(np.uint8), markers.astype(np.int16))
print("after splitting", m, ws.max())
print(ndi.sobel(smooth).std().round(3), ndi.laplace(smooth).min().round(2), ndi.gaussian_gradient_magnitude(noisy, 2).max().round(3), ndi.uniform_filter1d(noisy, 5)[0, 0].round(3))
rot = ndi.rotate(plate, 30, reshape=False, order=1)
z = ndi.zoom(plate, .5, order=1)
aff = ndi.affine_transform(plate, [[1, .1], [0, 1]], order=1)
mp = ndi.map_coordinates(plate, [[10.5, 20], [5, 7.2]], order=1)
print(rot.shape, z.shape, aff.sum().round(0) > 0, mp.shape, ndi.shift(plate, (3, -2))[50, 50].round(2))
rng_filter = ndi.generic_filter(noisy[:40, :40], lambda w: w.max() - w.min(), size=3)
print(rng_filter.mean().round(3), ndi.percentile_filter(noisy, 90, size=5)[5, 5].round(3), ndi.convolve(noisy, np.full((3, 3), 1 / 9))[0, 0].round(3))
def fractal(values):
    return np.percentile(values, 90)
print(ndi.labeled_comprehension(noisy, lab, idx[:3], fractal, float, 0).round(2), ndi.extrema(noisy)[2:])
print(ndi.grey_dilation(smooth, size=3).max().round(2), ndi.white_tophat(smooth, 5).max().round(2), ndi.binary_erosion(mask).sum(), ndi.generate_binary_structure(2, 2).sum())
fig, ax = plt.subplots(1, 3, figsize=(11, 4), sharex=True, sharey=True)
for a, im, ti in zip(ax, (noisy, lab, dist), ("raw", "labels", "distance")):
    a.imshow(im, cmap="nipy_spectral" if ti == "labels" else "gray"); a.set_title(ti); a.axis("off")
