import numpy as np
import statsmodels.api as sm

df = visits.merge(patients, on="patient_id").dropna()
X = sm.add_constant(df[["age", "bmi", "dbp"]].astype(float)).to_numpy()
y = df["sbp"].to_numpy()
folds = np.random.default_rng(0).permutation(len(y)) % 5
errors = []
for fold in range(5):
    train, test = folds != fold, folds == fold
    fit = sm.OLS(y[train], X[train]).fit()
    errors.append(float(np.sqrt(np.mean((fit.predict(X[test]) - y[test]) ** 2))))
    print(f"fold {fold}: RMSE {errors[-1]:.3f} on {test.sum()} rows")
print(f"{np.mean(errors):.3f} ± {np.std(errors):.3f}")
ridge = sm.OLS(y, X).fit_regularized(alpha=0.1, L1_wt=0.0)
print(np.asarray(ridge.params).round(2))
