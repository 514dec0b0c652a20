# # A made-up ECG: filters, peaks, spectra
import numpy as np
import matplotlib.pyplot as plt
from scipy import signal
from scipy.signal import butter, filtfilt, sosfiltfilt, find_peaks, welch, spectrogram, savgol_filter, detrend, hilbert, resample, decimate, iirnotch, freqz, stft, ShortTimeFFT, peak_widths, peak_prominences, correlate, correlation_lags, coherence, csd, medfilt, lfilter, lfilter_zi, firwin, convolve, windows, chirp, sawtooth, periodogram, lombscargle, argrelextrema, cheby1, ellip, TransferFunction, step, lti, dlti

fs = 250
t = np.arange(0, 20, 1 / fs)
rng = np.random.default_rng(3)
beats = np.cumsum(rng.normal(.82, .04, 26))
ecg = sum(np.exp(-.5 * ((t - b) / .012) ** 2) + .25 * np.exp(-.5 * ((t - b - .25) / .04) ** 2) for b in beats)
raw = ecg + .3 * np.sin(2 * np.pi * .2 * t) + .15 * np.sin(2 * np.pi * 50 * t) + rng.normal(0, .05, t.size)

sos = butter(4, [.7, 35], btype="band", fs=fs, output="sos")
clean = sosfiltfilt(sos, raw)
b, a = iirnotch(50, 30, fs=fs)
clean = filtfilt(b, a, clean)
pk, prop = find_peaks(clean, height=.4, distance=.4 * fs, prominence=.3)
rr = np.diff(pk) / fs
print(f"{len(pk)} beats, heart rate {60 / rr.mean():.1f}, SDNN {rr.std() * 1000:.0f} ms, RMSSD {np.sqrt(np.mean(np.diff(rr) ** 2)) * 1000:.0f} ms")
print(sorted(prop), peak_widths(clean, pk, .5)[0].mean().round(2), peak_prominences(clean, pk)[0].min() > .3)
f, P = welch(raw, fs, nperseg=1024)
print("peak near 50 Hz:", f[(f > 40)][P[f > 40].argmax()].round(1))
print("power below 1 Hz", np.trapezoid(P[f < 1], f[f < 1]).round(4))
w, h = freqz(b, a, worN=[50.], fs=fs)
print(20 * np.log10(abs(h) + 1e-12) < -40)
env = np.abs(hilbert(detrend(clean)))
print(env.max().round(2), savgol_filter(raw, 31, 3)[100].round(3), medfilt(raw, 5)[10].round(3))
lag = correlation_lags(t.size, t.size)[correlate(clean, np.roll(clean, 20)).argmax()]
print("lag", lag)
fC, C = coherence(raw, clean, fs, nperseg=512)
print("coherence at 10 Hz", C[np.abs(fC - 10).argmin()].round(2), csd(raw, clean, fs)[1].dtype)
F, T, S = spectrogram(raw, fs, nperseg=512)
print(S.shape, stft(raw, fs, nperseg=256)[2].shape)
sft = ShortTimeFFT(windows.gaussian(128, std=20, sym=True), hop=64, fs=fs, scale_to="magnitude")
print(sft.stft(raw).shape, sft.delta_f)
print(resample(raw, 1000).shape, decimate(raw, 5).shape, len(firwin(51, 30, fs=fs)))
zi = lfilter_zi(b, a)
y, _ = lfilter(b, a, raw, zi=zi * raw[0])
print(y[-1].round(3), argrelextrema(ecg, np.greater, order=50)[0][:3], np.asarray(cheby1(3, 1, .2)).shape)
tt = np.sort(rng.uniform(0, 20, 150))
print("Lomb-Scargle", (np.linspace(.5, 8, 400)[lombscargle(tt, np.sin(2 * np.pi * .4 * tt), np.linspace(.5, 8, 400)).argmax()] / 2 / np.pi).round(2))
sys1 = TransferFunction([1], [1, .5, 1])
print(step(sys1, N=20)[1][-1].round(3), lti([1], [1, 1]).poles, sys1.to_zpk().zeros)
fig, ax = plt.subplots(3, 1, figsize=(9, 7), constrained_layout=True)
ax[0].plot(t, raw, lw=.6)
ax[1].plot(t, clean); ax[1].plot(t[pk], clean[pk], "rv")
ax[2].pcolormesh(T, F[:80], 10 * np.log10(S[:80]), shading="gouraud")
