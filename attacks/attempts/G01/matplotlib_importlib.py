"""matplotlib.pyplot imports importlib for itself."""
import matplotlib.pyplot as plt

print("ESCAPED:matplotlib_importlib", plt.importlib.import_module("os").getpid())
