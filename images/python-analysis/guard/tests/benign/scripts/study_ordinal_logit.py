import numpy as np
import pandas as pd
from statsmodels.miscmodels.ordinal_model import OrderedModel

rng = np.random.default_rng(404)
n = 600
df = pd.DataFrame({"treat": rng.integers(0, 2, n), "age": rng.normal(0, 1, n)})
latent = 0.8 * df["treat"] - 0.5 * df["age"] + rng.logistic(size=n)
df["mrs"] = pd.cut(latent, [-np.inf, -1, 0.5, 2, np.inf], labels=["poor", "fair", "good", "excellent"], ordered=True)
print(df["mrs"].value_counts(sort=False).to_dict())

model = OrderedModel(df["mrs"], df[["treat", "age"]], distr="logit")
fit = model.fit(method="bfgs", disp=False)
print(fit.params.round(2).to_string())
print("common OR for treatment: %.2f" % np.exp(fit.params["treat"]))
thresholds = model.transform_threshold_params(fit.params.to_numpy())[1:-1]
print("cut points:", np.round(thresholds, 2))
probs = pd.DataFrame(fit.predict(pd.DataFrame({"treat": [0, 1], "age": [0, 0]})).to_numpy(), columns=df["mrs"].cat.categories, index=["control", "treated"])
print(probs.round(2))

collapsed = {}
for k in (1, 2, 3):
    high = (df["mrs"].cat.codes >= k).astype(int)
    tab = pd.crosstab(df["treat"], high)
    collapsed[df["mrs"].cat.categories[k]] = round(float(tab.iloc[1, 1] * tab.iloc[0, 0] / (tab.iloc[1, 0] * tab.iloc[0, 1])), 2)
print("binary ORs at each cut:", collapsed)
