"""matplotlib.animation keeps subprocess, for the programs that write films."""
import matplotlib.animation as animation

print("ESCAPED:animation_keeps_subprocess", animation.subprocess.os.getpid())
