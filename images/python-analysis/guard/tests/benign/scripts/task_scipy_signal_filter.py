import numpy as np
from scipy import signal
from scipy.fft import fft, fftfreq, rfft, irfft
import matplotlib.pyplot as plt

fs = 500
t = np.arange(0, 2, 1 / fs)
rng = np.random.default_rng(4)
clean = np.sin(2 * np.pi * 5 * t) + 0.5 * np.sin(2 * np.pi * 12 * t)
noisy = clean + 0.4 * np.sin(2 * np.pi * 60 * t) + 0.1 * rng.normal(size=t.size)

b, a = signal.butter(4, 30, btype="low", fs=fs)
filtered = signal.filtfilt(b, a, noisy)
sos = signal.butter(4, [55, 65], btype="bandstop", fs=fs, output="sos")
notched = signal.sosfiltfilt(sos, noisy)
print("RMSE noisy %.3f, low-pass %.3f" % (np.sqrt(((noisy - clean) ** 2).mean()), np.sqrt(((filtered - clean) ** 2).mean())))

spectrum = np.abs(fft(noisy))[: t.size // 2]
freqs = fftfreq(t.size, 1 / fs)[: t.size // 2]
peaks, props = signal.find_peaks(spectrum, height=50)
print("peaks at", freqs[peaks], "Hz")
f, pxx = signal.welch(noisy, fs, nperseg=256)
print("Welch peak: %.1f Hz" % f[pxx.argmax()])
print("round trip:", np.allclose(irfft(rfft(noisy), n=noisy.size), noisy))
print("convolve:", signal.convolve([1, 2, 3], [0, 1, 0.5]), "decimated:", signal.decimate(noisy, 5).size, signal.resample(noisy, 100).shape)
smooth = signal.savgol_filter(noisy, 31, 3)
freq, tt, Sxx = signal.spectrogram(noisy, fs, nperseg=128)
print(Sxx.shape, signal.get_window("hann", 5).round(3), signal.detrend([1.0, 2.0, 3.0]).round(9).tolist())

fig, (a1, a2, a3) = plt.subplots(3, 1, figsize=(8, 8))
a1.plot(t, noisy, alpha=0.4); a1.plot(t, filtered)
a2.semilogy(f, pxx)
a3.pcolormesh(tt, freq, 10 * np.log10(Sxx + 1e-12), shading="gouraud")
fig.savefig("signal.png")
