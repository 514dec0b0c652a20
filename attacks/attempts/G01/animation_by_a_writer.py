"""A writer of films starts the program that rcParams name."""
import matplotlib.animation as animation
import matplotlib.pyplot as plt

plt.rcParams["animation.ffmpeg_path"] = "/usr/bin/python3"
fig = plt.figure()
film = animation.FuncAnimation(fig, lambda number: [], frames=2)
writer = animation.writers["ffmpeg"](codec="x", extra_args=["-c", "print('started')"])
writer.setup(fig, "@OUTSIDE@/film.mp4")
print("ESCAPED:animation_by_a_writer", writer._proc.pid)
