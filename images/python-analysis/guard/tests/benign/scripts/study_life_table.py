import pandas as pd
import numpy as np

deaths = {0: 520, 1: 90, 5: 60, 15: 210, 25: 330, 35: 560, 45: 1180, 55: 2450, 65: 4900, 75: 8300, 85: 9100}
population = {0: 98000, 1: 390000, 5: 980000, 15: 990000, 25: 1010000, 35: 1000000, 45: 950000, 55: 820000, 65: 600000, 75: 330000, 85: 95000}


def life_table(deaths: dict, population: dict) -> pd.DataFrame:
    lt = pd.DataFrame({"D": deaths, "P": population})
    lt.index.name = "x"
    ages = lt.index.to_numpy()
    lt["n"] = np.append(np.diff(ages), np.inf)
    lt["m"] = lt["D"] / lt["P"]
    lt["a"] = np.where(ages == 0, 0.1, lt["n"] / 2)
    lt["q"] = (lt["n"] * lt["m"] / (1 + (lt["n"] - lt["a"]) * lt["m"])).where(np.isfinite(lt["n"]), 1.0)
    lt["l"] = 100_000 * np.concatenate([[1], np.cumprod(1 - lt["q"].to_numpy())[:-1]])
    lt["d"] = lt["l"] * lt["q"]
    lt["L"] = lt["n"] * (lt["l"] - lt["d"]) + lt["a"] * lt["d"]
    lt.loc[ages[-1], "L"] = lt["l"].iloc[-1] / lt["m"].iloc[-1]
    lt["T"] = lt["L"][::-1].cumsum()[::-1]
    lt["e"] = lt["T"] / lt["l"]
    return lt


lt = life_table(deaths, population)
pd.set_option("display.width", 120)
print(lt[["m", "q", "l", "d", "L", "e"]].round({"m": 5, "q": 4, "l": 0, "d": 0, "L": 0, "e": 2}).to_string())
print(f"life expectancy at birth {lt.at[0, 'e']:.1f}, at 65 {lt.at[65, 'e']:.1f}")
print(f"probability of reaching 75: {lt.at[75, 'l'] / lt.at[0, 'l']:.3f}")
half = {k: v // 2 for k, v in deaths.items()}
print("gain if mortality halves: %.1f years" % (life_table(half, population).at[0, "e"] - lt.at[0, "e"]))
