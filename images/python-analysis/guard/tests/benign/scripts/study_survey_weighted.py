"""Weighted prevalence with Taylor linearisation over strata and clusters."""
import numpy as np
import pandas as pd

rng = np.random.default_rng(91)
rows = []
for stratum in range(4):
    for cluster in range(5):
        n = int(rng.integers(15, 30))
        p = 0.2 + 0.05 * stratum + rng.normal(0, 0.03)
        rows.append(pd.DataFrame({
            "stratum": stratum, "psu": f"{stratum}-{cluster}", "weight": rng.uniform(50, 150) * (1 + stratum),
            "hypertension": rng.binomial(1, min(max(p, 0), 1), n), "sex": rng.choice(["F", "M"], n),
        }))
survey = pd.concat(rows, ignore_index=True)


def svy_mean(df: pd.DataFrame, y: str, w: str = "weight"):
    wsum = df[w].sum()
    mean = (df[w] * df[y]).sum() / wsum
    z = (df[w] * (df[y] - mean) / wsum).groupby([df["stratum"], df["psu"]]).sum()
    var = 0.0
    for _, zh in z.groupby(level="stratum"):
        nh = len(zh)
        if nh > 1:
            var += nh / (nh - 1) * ((zh - zh.mean()) ** 2).sum()
    return mean, np.sqrt(var)


est, se = svy_mean(survey, "hypertension")
naive = survey["hypertension"].mean()
srs_se = np.sqrt(naive * (1 - naive) / len(survey))
print(f"n = {len(survey)}, weighted {est:.3f} (SE {se:.4f}), unweighted {naive:.3f} (SE {srs_se:.4f}), deff {(se / srs_se) ** 2:.2f}")
by_sex = {sex: svy_mean(g, "hypertension") for sex, g in survey.groupby("sex")}
for sex, (m, s) in by_sex.items():
    print(f"{sex}: {m:.1%} ± {1.96 * s:.1%}")

target = {"F": 0.52, "M": 0.48}
share = survey.groupby("sex")["weight"].sum() / survey["weight"].sum()
survey["raked"] = survey["weight"] * survey["sex"].map({k: target[k] / share[k] for k in target})
print("after raking:", (survey.groupby("sex")["raked"].sum() / survey["raked"].sum()).round(3).to_dict())
print("weighted after raking: %.3f" % svy_mean(survey, "hypertension", "raked")[0])
