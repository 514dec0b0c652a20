import numpy as np
import pandas as pd
import statsmodels.api as sm

rng = np.random.default_rng(29)
n, p = 150, 12
X = pd.DataFrame(rng.normal(size=(n, p)), columns=[f"gene{i:02d}" for i in range(p)])
beta = np.zeros(p)
beta[[0, 3, 7]] = [1.5, -1.0, 0.7]
y = X @ beta + rng.normal(size=n)

alphas = np.logspace(-2.5, 0, 8)
folds = np.arange(n) % 5
errors = []
for alpha in alphas:
    fold_errors = []
    for k in range(5):
        tr, te = folds != k, folds == k
        fit = sm.OLS(y[tr], X[tr]).fit_regularized(alpha=alpha, L1_wt=1.0)
        fold_errors.append(((y[te] - X[te] @ fit.params) ** 2).mean())
    errors.append((alpha, np.mean(fold_errors), np.std(fold_errors) / np.sqrt(5)))
cv = pd.DataFrame(errors, columns=["alpha", "mse", "se"])
best = cv.loc[cv["mse"].idxmin()]
one_se = cv.loc[cv["mse"] <= best["mse"] + best["se"], "alpha"].max()
print(cv.round(3).to_string(index=False))
print(f"alpha min {best['alpha']:.4f}, 1-SE {one_se:.4f}")

final = sm.OLS(y, X).fit_regularized(alpha=one_se, L1_wt=1.0)
selected = [c for c, b in zip(X.columns, final.params) if abs(b) > 1e-8]
print("selected:", selected)
refit = sm.OLS(y, X[selected]).fit()
print(refit.params.round(2).to_dict())
ridge = sm.OLS(y, X).fit_regularized(alpha=0.5, L1_wt=0.0)
print("ridge shrinks:", bool(np.abs(ridge.params).sum() < np.abs(sm.OLS(y, X).fit().params).sum()))
