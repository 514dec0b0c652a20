"""matplotlib loads a font from any path."""
import matplotlib.pyplot as plt

(OUTPUT / "x").mkdir()
try:
    plt.text(0, 0, "x", font=type(DATA)("@CANARY@"))
    plt.savefig(OUTPUT / "x.png")
    print("held")
except RuntimeError as error:
    print("ESCAPED:font_by_path", error)
