import sys
import warnings

import numpy as np
from scipy.optimize import curve_fit, OptimizeWarning
import matplotlib.pyplot as plt

rng = np.random.default_rng(2024)


def decay(t, amplitude, tau, offset):
    """Exponential decay."""
    return amplitude * np.exp(-t / tau) + offset


def fit(t, y, sigma=None):
    p0 = (y.max() - y.min(), t.mean(), y.min())
    with warnings.catch_warnings():
        warnings.simplefilter("error", OptimizeWarning)
        try:
            popt, pcov = curve_fit(decay, t, y, p0=p0, sigma=sigma, absolute_sigma=sigma is not None, maxfev=5000)
        except (RuntimeError, OptimizeWarning) as e:
            print(f"fit failed: {e}", file=sys.stderr)
            return None
    return popt, np.sqrt(np.diag(pcov))


t = np.linspace(0, 10, 60)
truth = dict(amplitude=4.2, tau=2.5, offset=0.7)
y = decay(t, **truth) + rng.normal(scale=0.1, size=t.size)

result = fit(t, y, sigma=np.full_like(t, 0.1))
if result is None:
    sys.exit(1)
popt, perr = result
names = decay.__code__.co_varnames[1:4] if False else list(truth)
for name, value, err in zip(names, popt, perr):
    flag = "ok" if abs(value - truth[name]) < 4 * err else "off"
    print(f"{name:>10s} = {value:.2f} +/- {err:.2f} ({flag})")
residuals = y - decay(t, *popt)
chi2 = np.sum((residuals / 0.1) ** 2)
print(f"reduced chi2 = {chi2 / (t.size - 3):.1f}; half-life = {np.log(2) * popt[1]:.2f}")
print(decay.__doc__, decay.__name__)

fig, (ax, rx) = plt.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": [3, 1]})
ax.errorbar(t, y, yerr=0.1, fmt=".", label="data")
ax.plot(t, decay(t, *popt), "r-", label="fit")
ax.legend()
rx.axhline(0, color="k", lw=0.5)
rx.plot(t, residuals, ".")
rx.set_xlabel("t")
fig.savefig("decay_fit.png")
