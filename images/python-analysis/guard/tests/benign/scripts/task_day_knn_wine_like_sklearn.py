from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, classification_report, confusion_matrix, roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.impute import SimpleImputer
import numpy as np
import pandas as pd

rng = np.random.default_rng(55)
n = 400
X = pd.DataFrame({
    "hours": rng.gamma(4, 2, n),
    "distance": rng.exponential(10, n),
    "plan": rng.choice(["basic", "plus", "pro"], n, p=[0.5, 0.3, 0.2]),
})
score = 0.4 * X["hours"] - 0.1 * X["distance"] + X["plan"].map({"basic": -1, "plus": 0, "pro": 1.2})
y = (score + rng.logistic(size=n) > 1).astype(int)
X.loc[rng.choice(n, 20), "distance"] = np.nan

numeric = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
prep = ColumnTransformer([("num", numeric, ["hours", "distance"]), ("cat", OneHotEncoder(handle_unknown="ignore"), ["plan"])])
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, stratify=y, random_state=0)
models = {
    "logistic": LogisticRegression(max_iter=500),
    "knn": KNeighborsClassifier(15),
    "forest": RandomForestClassifier(n_estimators=50, random_state=0),
}
for name, clf in models.items():
    pipe = Pipeline([("prep", prep), ("clf", clf)])
    cv = cross_val_score(pipe, X_train, y_train, cv=StratifiedKFold(5, shuffle=True, random_state=1), scoring="roc_auc")
    pipe.fit(X_train, y_train)
    proba = pipe.predict_proba(X_test)[:, 1]
    print(f"{name:<9} cv={cv.mean():.2f}±{cv.std():.2f} test acc={accuracy_score(y_test, pipe.predict(X_test)):.2f} auc={roc_auc_score(y_test, proba):.2f}")
grid = GridSearchCV(Pipeline([("prep", prep), ("clf", KNeighborsClassifier())]), {"clf__n_neighbors": [3, 15, 31], "clf__weights": ["uniform", "distance"]}, cv=3)
grid.fit(X_train, y_train)
print(sorted(grid.best_params_), round(grid.best_score_, 1))
print(confusion_matrix(y_test, grid.predict(X_test)).sum(), prep.fit(X_train).get_feature_names_out().tolist())
print(classification_report(y_test, grid.predict(X_test), output_dict=True)["1"].keys())
print(type(grid.best_estimator_.named_steps["clf"]).__name__, pipe)
