"""logging, which matplotlib imports, writes where it is told."""
import matplotlib.pyplot as plt

handler = plt.logging.FileHandler("@OUTSIDE@/log.txt")
handler.close()
print("ESCAPED:matplotlib_logging")
