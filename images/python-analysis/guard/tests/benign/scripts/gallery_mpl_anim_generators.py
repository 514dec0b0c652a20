import itertools
import numpy as np
import matplotlib.pyplot as plt
import matplotlib.animation as animation

def data_gen():
    for cnt in itertools.count():
        t = cnt / 10
        yield t, np.sin(2 * np.pi * t) * np.exp(-t / 10.)

class Scope:
    def __init__(self, ax, maxt=2, dt=0.02):
        self.ax, self.dt, self.maxt = ax, dt, maxt
        self.tdata, self.ydata = [0], [0]
        self.line = plt.Line2D(self.tdata, self.ydata)
        self.ax.add_line(self.line)

    def update(self, y):
        lastt = self.tdata[-1]
        if lastt >= self.tdata[0] + self.maxt:
            self.tdata = [self.tdata[-1]]; self.ydata = [self.ydata[-1]]
            self.ax.figure.canvas.draw()
        self.tdata.append(self.tdata[0] + len(self.tdata) * self.dt)
        self.ydata.append(y)
        self.line.set_data(self.tdata, self.ydata)
        return self.line,

class PauseAnimation:
    def __init__(self):
        fig, ax = plt.subplots()
        self.n = np.random.normal(0, 1, 10)
        (self.p,) = ax.plot(self.n)
        self.animation = animation.FuncAnimation(fig, self.update, frames=200, interval=50, blit=True, save_count=5)
        self.paused = False
        fig.canvas.mpl_connect("button_press_event", self.toggle_pause)

    def toggle_pause(self, *args, **kwargs):
        self.animation.resume() if self.paused else self.animation.pause()
        self.paused = not self.paused

    def update(self, i):
        self.n += i / 100 % 5
        self.p.set_ydata(self.n % 20)
        return (self.p,)

pa = PauseAnimation(); pa.toggle_pause(); pa.toggle_pause()
fig, ax = plt.subplots()
sc = Scope(ax)
ani = animation.FuncAnimation(fig, sc.update, lambda: (v for _, v in itertools.islice(data_gen(), 5)), interval=50, blit=True, save_count=100)
for frame in ani.new_frame_seq(): sc.update(frame)
fig.canvas.draw()
print(len(sc.tdata), ani.event_source is None or type(ani.event_source).__name__, pa.paused, [d for d in ani.new_saved_frame_seq()][:0])
ani._draw_was_started = True
