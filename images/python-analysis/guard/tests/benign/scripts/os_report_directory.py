import os
from datetime import date

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

BASE = os.getcwd()
FIG_DIR = os.path.join(BASE, "figures_by_test")
if not os.path.exists(FIG_DIR):
    os.mkdir(FIG_DIR)
for test, group in labs.dropna(subset=["value"]).groupby("test"):
    fig, ax = plt.subplots()
    ax.hist(group["value"], bins=10)
    ax.set_title(test)
    fig.savefig(os.path.join(FIG_DIR, f"{test.lower()}.png"))
    plt.close(fig)
made = sorted(os.listdir(FIG_DIR))
print(len(made) == labs["test"].nunique(), all(os.path.getsize(os.path.join(FIG_DIR, f)) > 1000 for f in made))
with open(os.path.join(BASE, "README.txt"), "w") as handle:
    handle.write(os.linesep.join([f"figures: {len(made)}", "date: " + str(date(2024, 1, 1))]))
print(os.path.abspath("README.txt") == os.path.join(BASE, "README.txt"), os.path.normpath("a/../b"))
for name in made:
    os.remove(os.path.join(FIG_DIR, name))
os.rmdir(FIG_DIR)
print(os.path.isdir(FIG_DIR), os.access("README.txt", os.R_OK))
