"""A gauge whose needle moves over a background that is drawn once only."""
import time

import matplotlib.pyplot as plt
import numpy as np


class Gauge:
    def __init__(self, low, high):
        self.low, self.high = low, high
        self.figure, self.axes = plt.subplots(figsize=(3, 2), subplot_kw={"polar": True})
        self.axes.set(rlim=(0, 1), thetamin=0, thetamax=180, yticks=[])
        self.needle = self.axes.plot([0, 0], [0, 0.9], lw=3, color="crimson", animated=True)[0]
        self.reading = self.axes.text(np.pi / 2, 0.3, "", ha="center", animated=True)
        self.saved = None
        self.redraws = 0
        self.token = self.figure.canvas.mpl_connect("draw_event", self._remember)

    def _remember(self, event):
        assert event.name == "draw_event" and event.canvas is self.figure.canvas
        self.saved = event.canvas.copy_from_bbox(self.axes.get_figure().bbox)
        self.redraws += 1

    def show(self, value):
        part = (value - self.low) / (self.high - self.low)
        self.needle.set_xdata([np.pi * (1 - part)] * 2)
        self.reading.set_text(f"{value:g} bar")
        canvas = self.figure.canvas
        canvas.restore_region(self.saved)
        for artist in (self.needle, self.reading):
            self.axes.draw_artist(artist)
        canvas.blit(self.axes.bbox)
        canvas.flush_events()
        return np.asarray(canvas.buffer_rgba())[..., :3].astype(int).sum()

    def close(self):
        self.figure.canvas.mpl_disconnect(self.token)
        plt.close(self.figure)


gauge = Gauge(0, 16)
gauge.figure.canvas.draw()
begun = time.perf_counter()
inks = [gauge.show(value) for value in (1, 4, 9, 16)]
print(len(set(inks)) > 1, gauge.redraws, time.perf_counter() >= begun)
print(gauge.reading.get_text(), [round(float(x), 3) for x in gauge.needle.get_xdata()])
print(gauge.saved is not None, gauge.needle.get_animated(), len(gauge.axes.texts))
numbers = plt.get_fignums()
gauge.close()
print(numbers, plt.get_fignums())
