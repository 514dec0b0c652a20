import difflib
import itertools
import numpy as np
import pandas as pd
from sklearn.metrics import precision_score, recall_score
from sklearn.mixture import GaussianMixture
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import connected_components
from scipy.sparse import coo_matrix

rng = np.random.default_rng(12)
first = ["anna", "maria", "peter", "johann", "lena", "paul", "sofia", "emil"]
last = ["bauer", "schmidt", "meier", "fischer", "weber", "wagner", "becker"]
a = pd.DataFrame({"id": range(80), "first": rng.choice(first, 80), "last": rng.choice(last, 80), "dob": pd.to_datetime("1940-01-01") + pd.to_timedelta(rng.integers(0, 20000, 80), "D"), "zip": rng.integers(10000, 10020, 80).astype(str)})
def typo(s):
    i = rng.integers(0, len(s) - 1)
    return s[:i] + s[i + 1] + s[i] + s[i + 2:] if rng.random() < .5 else s[:i] + s[i + 1:]
b = a.sample(50, random_state=1).assign(first=lambda d: [typo(x) if rng.random() < .3 else x for x in d["first"]], last=lambda d: [typo(x) if rng.random() < .2 else x for x in d["last"]]).reset_index(drop=True)

def jaro(s, t):
    if s == t: return 1.
    w = max(len(s), len(t)) // 2 - 1
    ms, mt = [False] * len(s), [False] * len(t)
    for i, c in enumerate(s):
        for j in range(max(0, i - w), min(len(t), i + w + 1)):
            if not mt[j] and t[j] == c:
                ms[i] = mt[j] = True
                break
    m = sum(ms)
    if not m: return 0.
    k = sum(x != y for x, y in zip((c for c, f in zip(s, ms) if f), (c for c, f in zip(t, mt) if f))) / 2
    return (m / len(s) + m / len(t) + (m - k) / m) / 3

def soundex(s):
    codes = {c: d for d, cs in {"1": "bfpv", "2": "cgjkqsxz", "3": "dt", "4": "l", "5": "mn", "6": "r"}.items() for c in cs}
    out = [k for k, _ in itertools.groupby(codes.get(c, "0") for c in s)]
    return (s[0].upper() + "".join(d for d in out[1:] if d != "0") + "000")[:4]

pairs = a.assign(key=a.dob.dt.year).merge(b.assign(key=b.dob.dt.year), on="key", suffixes=("_a", "_b"))
pairs["jf"] = [jaro(x, y) for x, y in zip(pairs.first_a, pairs.first_b)]
pairs["jl"] = [jaro(x, y) for x, y in pairs[["last_a", "last_b"]].itertuples(index=False)]
pairs["sx"] = pairs.last_a.map(soundex) == pairs.last_b.map(soundex)
pairs["dd"] = (pairs.dob_a - pairs.dob_b).dt.days.abs()
pairs["score"] = 3 * pairs.jf + 4 * pairs.jl + 5 * (pairs.dd == 0) + (pairs.zip_a == pairs.zip_b)
pairs["match"] = pairs.id_a == pairs.id_b
print(len(pairs), "candidate pairs", pairs.groupby("match").score.describe().round(2)[["count", "mean", "min", "max"]])
gm = GaussianMixture(2, random_state=0).fit(pairs[["score"]])
hi = gm.means_.ravel().argmax()
pairs["p"] = gm.predict_proba(pairs[["score"]])[:, hi]
pred = pairs.p > .5
print("precision", precision_score(pairs.match, pred).round(2), "recall", recall_score(pairs.match, pred).round(2))
cost = pairs.pivot_table(index="id_a", columns="id_b", values="score", fill_value=0)
i, j = linear_sum_assignment(-cost.values)
best = pd.DataFrame({"a": cost.index[i], "b": cost.columns[j], "s": cost.values[i, j]}).query("s > 8")
print("one-to-one", len(best), (best.a == best.b).mean().round(2))
print(difflib.get_close_matches("schmit", last, n=1), difflib.SequenceMatcher(None, "meier", "maier").ratio(), soundex("schmidt"), soundex("smith"))
e = pairs[pred]
k, lab = connected_components(coo_matrix((np.ones(len(e)), (e.id_a, 80 + e.id_b)), shape=(160, 160)), directed=False)
print(np.bincount(np.bincount(lab)))
