import pandas as pd
import numpy as np

# European standard population 2013, collapsed
standard = pd.Series({"0-39": 46500, "40-49": 14000, "50-59": 13500, "60-69": 11500, "70+": 14500}, name="esp")

region_data = {
    "North": {"pop": [52000, 17000, 15000, 12000, 13000], "cases": [12, 25, 61, 118, 260]},
    "South": {"pop": [81000, 20000, 16000, 11000, 9000], "cases": [19, 31, 66, 104, 171]},
}


def direct_standardise(cases, pop, std, per=100_000):
    w = std / std.sum()
    rate = (w * cases / pop).sum()
    var = (w**2 * cases / pop**2).sum()
    se = np.sqrt(var)
    return rate * per, (rate - 1.96 * se) * per, (rate + 1.96 * se) * per


rows = []
for region, d in region_data.items():
    frame = pd.DataFrame(d, index=standard.index)
    crude = frame["cases"].sum() / frame["pop"].sum() * 100_000
    asr, lo, hi = direct_standardise(frame["cases"], frame["pop"], standard)
    rows.append([region, crude, asr, lo, hi])
result_table = pd.DataFrame(rows, columns=["region", "crude", "ASR", "low", "high"]).set_index("region")
print(result_table.round(1))

north, south = (pd.DataFrame(region_data[r], index=standard.index) for r in ("North", "South"))
expected = (south["cases"] / south["pop"] * north["pop"]).sum()
smr = north["cases"].sum() / expected
ci = smr * np.exp(np.array([-1, 1]) * 1.96 / np.sqrt(north["cases"].sum()))
print(f"SMR north vs south: {smr:.3f} ({ci[0]:.3f} to {ci[1]:.3f})")
result = {"asr_ratio": round(result_table.loc["North", "ASR"] / result_table.loc["South", "ASR"], 3)}
print(result)
