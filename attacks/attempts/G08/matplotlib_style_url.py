"""matplotlib fetches a style sheet."""
import matplotlib.pyplot as plt

try:
    plt.style.use("http://127.0.0.1:@PORT@/x.mplstyle")
    print("ESCAPED:matplotlib_style_url")
except OSError as error:
    print("held", type(error).__name__)
