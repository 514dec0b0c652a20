"""A made galaxy picture: stretch, RGB, PIL resize, annotations, FITS-like scaling."""
import io
import numpy as np
import matplotlib.pyplot as plt
from matplotlib.colors import LogNorm, PowerNorm
from matplotlib.offsetbox import AnchoredText, AnnotationBbox, OffsetImage
from matplotlib.patches import Ellipse
from PIL import Image, ImageDraw, ImageFilter
from scipy import ndimage as ndi

rng = np.random.default_rng(31)
y, x = np.indices((160, 200))
r = np.hypot((x - 100) / 1.8, y - 80)
theta = np.arctan2(y - 80, x - 100)
disc = np.exp(-r / 14) * (1 + 0.5 * np.cos(2 * theta - r / 6))
stars = np.zeros_like(disc)
stars[rng.integers(0, 160, 60), rng.integers(0, 200, 60)] = rng.exponential(0.8, 60)
sky = disc + ndi.gaussian_filter(stars, 1.2) + rng.normal(0, 0.01, disc.shape)
labels, count = ndi.label(sky > 0.15)
sizes = ndi.sum_labels(np.ones_like(sky), labels, range(1, count + 1))
fig, axes = plt.subplots(1, 3, figsize=(12, 3.6))
axes[0].imshow(sky.clip(1e-3), norm=LogNorm(1e-2, 1), cmap="magma", origin="lower")
axes[1].imshow(sky, norm=PowerNorm(0.5, vmin=0), cmap="gray", extent=[-10, 10, -8, 8])
axes[1].add_patch(Ellipse((0, 0), 9, 5, fill=False, ec="lime", ls="--"))
axes[1].add_artist(AnchoredText(f"{count} sources", loc="upper left", prop={"size": 7}))
rgb = np.dstack([np.clip(sky * s, 0, 1) for s in (1.0, 0.8, 1.3)])
picture = Image.fromarray((rgb * 255).astype("uint8")).resize((400, 320), Image.Resampling.BICUBIC).filter(ImageFilter.GaussianBlur(1))
draw = ImageDraw.Draw(picture)
draw.rectangle([150, 100, 250, 220], outline=(255, 255, 0), width=2)
draw.text((10, 10), "field 7", fill="white")
axes[2].imshow(picture)
stamp = OffsetImage(np.asarray(picture.crop((150, 100, 250, 220))), zoom=0.4)
axes[2].add_artist(AnnotationBbox(stamp, (330, 70), frameon=True, pad=0.1))
for ax in axes:
    ax.set_axis_off()
buf = io.BytesIO()
fig.savefig(buf, format="png", dpi=70)
again = Image.open(buf)
again.convert("L").save(OUTPUT / "grey.png", optimize=True)
picture.save(OUTPUT / "galaxy.jpg", quality=85)
print(count, int(sizes.max()), picture.size, again.size, plt.imread(OUTPUT / "galaxy.jpg").shape, np.array(again).shape)
