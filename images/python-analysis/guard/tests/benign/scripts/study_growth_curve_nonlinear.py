import numpy as np
import pandas as pd
from scipy.optimize import curve_fit, least_squares
import matplotlib.pyplot as plt


def logistic(t, k, r, t0):
    return k / (1 + np.exp(-r * (t - t0)))


def gompertz(t, k, b, c):
    return k * np.exp(-b * np.exp(-c * t))


rng = np.random.default_rng(37)
t = np.linspace(0, 20, 25)
y = logistic(t, 100, 0.6, 9) + rng.normal(0, 3, t.size)

fits = {}
for func, p0 in ((logistic, (90, 0.5, 10)), (gompertz, (90, 5, 0.2))):
    popt, pcov = curve_fit(func, t, y, p0=p0, maxfev=5000)
    rss = float(((y - func(t, *popt)) ** 2).sum())
    aic = t.size * np.log(rss / t.size) + 2 * (len(popt) + 1)
    fits[func.__name__] = {"params": popt, "se": np.sqrt(np.diag(pcov)), "aic": aic}
    print(func.__name__, np.round(popt, 2), "AIC", round(aic, 1))
best = min(fits, key=lambda k: fits[k]["aic"])
print("best:", best)

y_out = y.copy()
y_out[12] += 60
robust = least_squares(lambda p: logistic(t, *p) - y_out, x0=(90, 0.5, 10), loss="soft_l1", f_scale=3.0)
plain = least_squares(lambda p: logistic(t, *p) - y_out, x0=(90, 0.5, 10))
print("K with outlier: plain %.1f, robust %.1f" % (plain.x[0], robust.x[0]))

plt.plot(t, y, "o", mfc="none")
for name, func in [("logistic", logistic), ("gompertz", gompertz)]:
    plt.plot(t, func(t, *fits[name]["params"]), label=name)
plt.legend(title=f"best: {best}")
plt.savefig(OUTPUT / "growth.png")
