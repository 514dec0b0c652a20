"""A damped wave, drawn frame by frame; no film is written."""
import matplotlib.animation as animation
import matplotlib.pyplot as plt
import numpy as np

fig, ax = plt.subplots()
xdata, ydata = [], []
(line,) = ax.plot([], [], lw=2)
ax.set_xlim(0, 10)
ax.set_ylim(-1.1, 1.1)


def data_gen():
    for t in np.linspace(0, 10, 12):
        yield t, np.sin(2 * np.pi * t / 5) * np.exp(-t / 10.0)


def update(data):
    t, y = data
    xdata.append(t)
    ydata.append(y)
    line.set_data(xdata, ydata)
    return (line,)


ani = animation.FuncAnimation(fig, update, data_gen, interval=10, save_count=12)
for each in ani.new_frame_seq():
    update(each)
fig.canvas.draw()
print(len(xdata), [round(float(y), 3) for y in ydata[:4]])
pictures = [[ax.imshow(np.add.outer(np.arange(4), np.arange(4)) + shift, animated=True)] for shift in range(3)]
film = animation.ArtistAnimation(fig, pictures, interval=50, blit=False)
fig.canvas.draw()
print(len(pictures), type(film).__name__)
