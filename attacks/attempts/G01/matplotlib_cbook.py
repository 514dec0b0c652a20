"""cbook, which pyplot hands out, keeps subprocess."""
import matplotlib.pyplot as plt

print("ESCAPED:matplotlib_cbook", plt.cbook.subprocess.os.getpid())
