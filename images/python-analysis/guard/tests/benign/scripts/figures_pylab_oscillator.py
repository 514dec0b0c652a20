"""A damped oscillator in the old style."""
from pylab import *
from scipy.integrate import odeint, solve_ivp

def motion(state, t, gamma, omega):
    x, v = state
    return [v, -2 * gamma * v - omega ** 2 * x]

t = linspace(0, 20, 400)
figure(1, figsize=(8, 5))
clf()
for gamma, style in zip([0.05, 0.2, 1.0], ["-", "--", ":"]):
    x, v = odeint(motion, [1, 0], t, args=(gamma, 1.5)).T
    subplot(221); plot(t, x, "k" + style, label=r"$\gamma=%.2f$" % gamma)
    subplot(222); plot(x, v, style)
    subplot(223); semilogy(t, 0.5 * v ** 2 + 0.5 * 2.25 * x ** 2)
subplot(221); legend(loc="best", fontsize=6); xlabel("t"); axhline(0, color="gray")
subplot(222); axis("equal"); title("phase")
X, Y = meshgrid(linspace(-1.5, 1.5, 12), linspace(-2, 2, 12))
U, V = motion([X, Y], 0, 0.2, 1.5)
quiver(X, Y, U, V, hypot(U, V), cmap=cm.autumn, alpha=0.6) if "cm" in globals() else quiver(X, Y, U, V, alpha=0.6)
subplot(224)
spec = abs(np.fft.rfft(x - x.mean()))
stem(arange(20), spec[:20], basefmt=" ")
xlim(-1, 20); grid(True)
suptitle("oscillator"); tight_layout()
savefig("osc.png"); close("all")
print(round(float(spec.max()), 2), x[-1].round(5), randint(1, 2), eye(2).tolist(), amax(X), find_peaks if "find_peaks" in dir() else "no find_peaks")
