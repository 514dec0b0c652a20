import re
import pandas as pd
import numpy as np

CHARLSON = {
    "MI": (r"^I2[12]|^I252", 1),
    "CHF": (r"^I50|^I110|^I13[02]", 1),
    "COPD": (r"^J4[0-7]", 1),
    "DIABETES": (r"^E1[01][0169]", 1),
    "DIABETES_COMPL": (r"^E1[01][2-57]", 2),
    "RENAL": (r"^N18|^N19", 2),
    "CANCER": (r"^C[0-6]\d|^C7[0-6]", 2),
    "METASTATIC": (r"^C7[789]|^C80", 6),
}

codes = ["I21.9", "I50.0", "J44.1", "E11.9", "E11.2", "N18.5", "C50.9", "C78.0", "Z00.0", "I10", "K35.8"]
rng = np.random.default_rng(44)
dx = pd.DataFrame({"pid": rng.integers(1, 31, 120), "icd": rng.choice(codes, 120)})
dx["code"] = dx["icd"].str.replace(".", "", regex=False)

for name, (pattern, _) in CHARLSON.items():
    dx[name] = dx["code"].str.match(pattern)
flags = dx.groupby("pid")[list(CHARLSON)].any()
# the severe form replaces the mild one
flags.loc[flags["DIABETES_COMPL"], "DIABETES"] = False
flags.loc[flags["METASTATIC"], "CANCER"] = False
weights = pd.Series({k: w for k, (_, w) in CHARLSON.items()})
score = flags.astype(int).mul(weights).sum(axis=1).rename("cci")
print(flags.mean().map("{:.0%}".format).to_string())
print(score.value_counts().sort_index().to_dict())
print(pd.cut(score, [-1, 0, 2, 5, np.inf], labels=["0", "1-2", "3-5", "6+"]).value_counts(sort=False).to_dict())
chapters = dx["code"].str[0].map({"I": "Circulatory", "J": "Respiratory", "E": "Endocrine", "N": "Genitourinary", "C": "Neoplasms"}).fillna("Other")
print(chapters.value_counts().sort_index().to_dict())
valid = [bool(re.fullmatch(r"[A-Z]\d{2}(\.\d)?", c)) for c in codes + ["11.9", "I1"]]
print(valid.count(True), "valid,", valid.count(False), "invalid")
