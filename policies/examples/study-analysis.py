# Each table of the bundle is there as a DataFrame, by its name: bundle_describe has names and columns.
# Its files lie below DATA. What is saved below OUTPUT is verified and released; print what you want to see.
import os

import matplotlib.pyplot as plt
import pandas as pd

for name in sorted(os.listdir(DATA)):
    if name.endswith(".csv"):
        table = pd.read_csv(os.path.join(DATA, name))
        numbers = table.select_dtypes("number")
        print(name, len(table), "rows")
        print(numbers.mean().round(2).to_string())
        numbers.mean().to_csv(OUTPUT / "means.csv")
        numbers.plot.box()
        plt.savefig(OUTPUT / "spread.png")

result = {"files": len(os.listdir(OUTPUT))}
