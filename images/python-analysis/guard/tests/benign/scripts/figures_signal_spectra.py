"""Whale call: spectrogram, PSD, filtered trace, phase portrait."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import mlab
from matplotlib.ticker import EngFormatter, LogLocator, MultipleLocator, StrMethodFormatter
from scipy import signal

fs = 2000
t = np.arange(0, 3, 1 / fs)
rng = np.random.default_rng(29)
call = signal.chirp(t, 80, 3, 400, method="quadratic") * np.hanning(t.size) + 0.3 * rng.normal(size=t.size)
sos = signal.butter(4, [60, 450], "bandpass", fs=fs, output="sos")
clean = signal.sosfiltfilt(sos, call)
fig, axs = plt.subplots(3, 2, figsize=(9, 8), gridspec_kw={"height_ratios": [1, 2, 2]})
axs[0, 0].plot(t, call, lw=0.3, c="0.7")
axs[0, 0].plot(t, np.abs(signal.hilbert(clean)), "r", lw=0.8)
Pxx, freqs, bins, im = axs[1, 0].specgram(call, NFFT=256, Fs=fs, noverlap=200, cmap="inferno", vmin=-80)
axs[1, 0].yaxis.set_major_formatter(EngFormatter(unit="Hz", places=0))
f, pxx = signal.welch(call, fs, nperseg=512)
axs[1, 1].semilogy(f, pxx, label="welch")
axs[1, 1].psd(call, NFFT=512, Fs=fs, window=mlab.window_hanning, visible=False)
axs[1, 1].set_xlim(0, 1000)
axs[2, 0].xcorr(call[:600], clean[:600], maxlags=40, usevlines=True, normed=True)
coh = axs[2, 1].cohere(call, clean, NFFT=256, Fs=fs)[0]
w, h = signal.sosfreqz(sos, fs=fs)
twin = axs[0, 1]
twin.plot(w, 20 * np.log10(np.maximum(np.abs(h), 1e-5)))
twin.set_ylim(-60, 5)
twin.xaxis.set_major_locator(MultipleLocator(250))
twin.yaxis.set_major_formatter(StrMethodFormatter("{x:.0f} dB"))
twin.axvspan(60, 450, color="g", alpha=0.1)
peaks, props = signal.find_peaks(pxx, prominence=pxx.max() / 20)
axs[1, 1].plot(f[peaks], pxx[peaks], "kx")
sec = axs[1, 1].secondary_xaxis("top", functions=(lambda v: v / 1000, lambda v: v * 1000))
sec.set_xlabel("kHz")
fig.tight_layout()
fig.savefig("whale.png")
print(Pxx.shape, freqs[peaks[:1] // 2].size, coh.max().round(2), clean.std().round(3), len(peaks) > 0)
