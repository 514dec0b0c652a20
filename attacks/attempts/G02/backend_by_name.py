"""matplotlib imports a backend by its name."""
import matplotlib.pyplot as plt

try:
    plt.switch_backend("module://posix")
except AttributeError as error:
    print("ESCAPED:backend_by_name", error.obj.getpid())
