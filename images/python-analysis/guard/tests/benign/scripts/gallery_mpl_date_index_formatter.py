import numpy as np
import matplotlib.pyplot as plt
import matplotlib.cbook as cbook
from matplotlib.dates import DateFormatter, DayLocator
from matplotlib.ticker import Formatter
import matplotlib.lines as ml

r = cbook.get_sample_data("goog.npz")["price_data"][:9]
fig, (ax1, ax2) = plt.subplots(nrows=2, figsize=(6, 6), layout="constrained")
ax1.plot(r["date"], r["adj_close"], "o-")
ax1.xaxis.set_major_locator(DayLocator())
ax1.xaxis.set_major_formatter(DateFormatter("%a"))

class MyFormatter(Formatter):
    def __init__(self, dates, fmt="%a"):
        self.dates = dates
        self.fmt = fmt

    def __call__(self, x, pos=0):
        try:
            return self.dates[round(x)].item().strftime(self.fmt)
        except IndexError:
            pass

ax2.plot(r["adj_close"], "o-")
ax2.xaxis.set_major_formatter(MyFormatter(r["date"]))
fig.canvas.draw()
print([t.get_text() for t in ax2.get_xticklabels()])
with cbook.get_sample_data("topobathy.npz") as dem:
    print(sorted(dem.files), dem["topo"].shape)
data = np.load(cbook.get_sample_data("jacksboro_fault_dem.npz", asfileobj=False))
print(data["elevation"].shape)
with cbook.get_sample_data("data_x_x2_x3.csv") as file:
    print(np.loadtxt(file, delimiter=",", skiprows=0)[:2] if False else file.readline().strip())
with cbook.get_sample_data("grace_hopper.jpg") as image_file:
    image = plt.imread(image_file)
print(image.shape, np.genfromtxt(cbook.get_sample_data("msft.csv", asfileobj=False), delimiter=",", names=True, dtype=None, encoding="utf-8").dtype.names[:3])
with cbook.get_sample_data("eeg.dat") if False else cbook.get_sample_data("s1045.ima.gz") as dfile:
    im = np.frombuffer(dfile.read(), np.uint16).reshape((256, 256))
print(im.shape)
