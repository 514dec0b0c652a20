"""Saving as PGF starts LaTeX; the animation writers start ffmpeg, here a program of ours."""
import matplotlib
import matplotlib.animation as animation
import matplotlib.pyplot as plt

matplotlib.rcParams["animation.ffmpeg_path"] = "/usr/bin/python3"
figure = plt.figure()
writer = animation.FFMpegWriter()
writer.setup(figure, str(OUTPUT / "x.mp4"))
print("ESCAPED:matplotlib_pgf", writer._proc.pid)
