import numpy as np, pandas as pd
from scipy import signal, fft, ndimage, fftpack
from scipy.signal import butter, filtfilt, sosfiltfilt, lfilter, lfilter_zi, find_peaks, welch, spectrogram, savgol_filter, hilbert, resample, decimate, detrend, medfilt, wiener, convolve, correlate, correlation_lags, firwin, freqz, StateSpace, TransferFunction, ZerosPolesGain, lti, dlti, step, impulse, bode, lsim, chirp, square, sawtooth, gausspulse, windows, peak_widths, peak_prominences, stft, istft, ShortTimeFFT, coherence, csd, periodogram, lombscargle, cheby1, ellip, bessel, iirnotch, tf2zpk, zpk2sos, sosfilt, group_delay, remez, fftconvolve, oaconvolve, upfirdn, max_len_seq, argrelextrema, find_peaks_cwt, unit_impulse, czt, zoom_fft, residue, place_poles, cont2discrete, hilbert2, vectorstrength

class Filter:

    def __init__(self, order, cut, fs):
        self.sos = butter(order, cut, 'low', fs=fs, output='sos')
        self.fs = fs

    def __call__(self, x):
        return sosfiltfilt(self.sos, x)

    def __repr__(self):
        return f'{type(self).__name__}({len(self.sos)} sections)'

class Lead(TransferFunction):
    """a lead compensator"""

    def gain(self):
        return float(self.num[-1] / self.den[-1])

def main():
    fs = 200.0
    t = np.arange(0, 4, 1 / fs)
    rng = np.random.default_rng(1)
    x = np.sin(2 * np.pi * 5 * t) + 0.5 * np.sin(2 * np.pi * 40 * t) + 0.1 * rng.normal(size=t.size)
    f = Filter(4, 12, fs)
    y = f(x)
    print(f, y[:3].round(3))
    b, a = butter(3, 0.1)
    zi = lfilter_zi(b, a)
    z, _ = lfilter(b, a, x, zi=zi * x[0])
    print(z[-1].round(4), filtfilt(b, a, x)[:2].round(3))
    pk, props = find_peaks(y, height=0.2, distance=20, prominence=0.1)
    print(len(pk), props['peak_heights'][:2].round(2), sorted(props), peak_widths(y, pk[:2])[0].round(1), peak_prominences(y, pk[:2])[0].round(2))
    fr, P = welch(x, fs, nperseg=256, window=('kaiser', 8))
    print(fr[P.argmax()].round(1), periodogram(x, fs)[1].argmax(), csd(x, y, fs)[1].shape, coherence(x, y, fs)[1].max().round(2))
    ff, tt, S = spectrogram(x, fs)
    print(S.shape, stft(x, fs)[2].shape, istft(stft(x, fs)[2], fs)[1].shape)
    SFT = ShortTimeFFT(windows.gaussian(50, 8), 10, fs)
    print(SFT.stft(x).shape, SFT.delta_f)
    print(np.abs(hilbert(y))[100].round(2), savgol_filter(x, 21, 3)[:2].round(3), resample(x, 50).shape, decimate(x, 4).shape, detrend(x + t)[:2].round(2), medfilt(x, 5)[:2].round(2), wiener(x, 5)[:2].round(2))
    print(correlation_lags(10, 10)[correlate(x[:10], x[:10]).argmax()], fftconvolve(x, [1, 2])[:2].round(2), oaconvolve(x, np.ones(3))[:2].round(2), upfirdn([1], x[:3], up=2).round(2))
    print(firwin(7, 0.3).round(3), freqz(b, a, worN=3)[1].round(3), group_delay((b, a), 3)[1].round(2), remez(9, [0, 0.2, 0.3, 0.5], [1, 0]).round(3), tf2zpk(b, a)[1].round(3), zpk2sos(*tf2zpk(b, a)).shape, iirnotch(50, 30, fs)[0].round(3), cheby1(2, 1, 0.2)[0].round(3), ellip(2, 1, 40, 0.2)[0].round(3), bessel(2, 0.2)[0].round(3))
    H = TransferFunction([1], [1, 2, 1])
    print(H, H.poles, step(H, N=4)[1].round(3), impulse(H, N=4)[1].round(3), bode(H, n=3)[1].round(1), lsim(H, np.ones(5), np.arange(5))[1].round(3))
    ss = H.to_ss()
    print(ss.A, (ss + ss).A.shape if True else '', StateSpace([[0, 1], [-1, -1]], [[0], [1]], [[1, 0]], [[0]]).to_tf().den.round(2), ZerosPolesGain([], [-1], 2).gain, lti([1], [1, 1]).step(N=3)[1].round(2), dlti([1], [1, -0.5], dt=0.1).impulse(n=3)[1][0].round(2).ravel(), cont2discrete(([1], [1, 1]), 0.1)[0].round(3), place_poles(np.array([[0, 1], [0, 0]]), np.array([[0], [1]]), [-1, -2]).gain_matrix.round(2))
    print(Lead([1, 2], [1, 4]).gain())
    print(chirp(t[:3], 1, 2, 10).round(3), square(t[:3] * 9).tolist(), sawtooth(t[:3]).round(3), gausspulse(0.01, fc=5).round(3), windows.hann(5).round(2), signal.get_window('hamming', 4).round(2), max_len_seq(3)[0], argrelextrema(y, np.greater)[0][:3], find_peaks_cwt(y[:200], np.arange(5, 15))[:3], unit_impulse(3), lombscargle(t[:50], x[:50], [10.0, 30.0]).round(2), residue([1], [1, 3, 2])[0].round(2), vectorstrength(t[:9], 0.1)[0].round(2))
    X = fft.rfft(x)
    print(np.abs(X).argmax(), fft.rfftfreq(x.size, 1 / fs)[20].round(2), fft.dct(x[:4], norm='ortho').round(3), fft.fftshift(fft.fftfreq(4)), fft.next_fast_len(101), fft.fft2(np.eye(3)).real.round(2)[0], fft.idst(fft.dst(x[:3])).round(3), fftpack.fft(x[:4]).round(2), fft.hfft(np.array([1, 2j, 3])).round(2))
    with fft.set_workers(1):
        print(fft.fftn(np.ones((2, 2))).real.tolist())
    im = np.zeros((20, 20))
    im[5:9, 5:9] = 1
    im[12:15, 10:18] = 2
    lab, n = ndimage.label(im)
    print(n, ndimage.center_of_mass(im, lab, [1, 2]), ndimage.sum(im, lab, [1, 2]), ndimage.find_objects(lab)[0], ndimage.gaussian_filter(im, 1)[6, 6].round(3), ndimage.binary_dilation(im > 0).sum(), ndimage.distance_transform_edt(im > 0).max().round(2), ndimage.rotate(im, 30, reshape=False).sum().round(1), ndimage.zoom(im, 0.5).shape, ndimage.generic_filter(im, np.ptp, size=3).sum().round(1), ndimage.generic_filter(im, lambda w: w.max() - w.mean(), footprint=np.ones((3, 3))).sum().round(2), ndimage.map_coordinates(im, [[5.5], [5.5]]).round(2), ndimage.labeled_comprehension(im, lab, [1, 2], np.mean, float, 0), ndimage.sobel(im)[6, 5], ndimage.watershed_ift(im.astype(np.uint8), lab.astype(np.int16)).max(), ndimage.geometric_transform(im, lambda c: (c[0] - 1, c[1]))[6, 6].round(2), ndimage.convolve1d(x[:5], [1, 1, 1]).round(2), ndimage.generic_filter1d(x[:6], lambda i, o: o.__setitem__(slice(None), i[1:-1]), 3).round(2), ndimage.median_filter(im, footprint=np.ones((2, 2))).sum(), ndimage.affine_transform(im, np.eye(2) * 0.5).sum().round(1), ndimage.histogram(im, 0, 2, 3), ndimage.value_indices(lab).keys() if hasattr(ndimage, 'value_indices') else '')
    d = pd.DataFrame({'t': t, 'x': x, 'y': y})
    print(d.rolling(5).mean().dropna().head(2).round(3))
    d.round(4).head(100).to_csv('signal.csv', index=False)
    print(pd.read_csv('signal.csv').shape)
if __name__ == '__main__':
    main()
