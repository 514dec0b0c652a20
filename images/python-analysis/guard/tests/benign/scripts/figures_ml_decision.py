"""Decision surfaces and evaluation curves of classifiers on made blobs."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from sklearn.calibration import CalibrationDisplay
from sklearn.datasets import make_blobs
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import DecisionBoundaryDisplay, PartialDependenceDisplay, permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import ConfusionMatrixDisplay, PrecisionRecallDisplay, RocCurveDisplay
from sklearn.model_selection import LearningCurveDisplay, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, plot_tree

X, y = make_blobs(300, centers=[(-1, 0), (1, 0.6)], cluster_std=1.1, random_state=4)
train, test, ytrain, ytest = train_test_split(X, y, random_state=0)
models = {"logit": make_pipeline(StandardScaler(), LogisticRegression()), "forest": RandomForestClassifier(30, max_depth=4, random_state=1)}
fig, axes = plt.subplots(2, 3, figsize=(12, 7))
for ax, (name, model) in zip(axes[0], models.items()):
    model.fit(train, ytrain)
    DecisionBoundaryDisplay.from_estimator(model, X, ax=ax, response_method="predict_proba", alpha=0.6, cmap="RdBu_r", grid_resolution=60)
    ax.scatter(*test.T, c=ytest, cmap=ListedColormap(["navy", "darkred"]), s=10, edgecolor="w", lw=0.3)
    ax.set_title(f"{name}: {model.score(test, ytest):.2f}")
    RocCurveDisplay.from_estimator(model, test, ytest, ax=axes[0, 2], name=name)
    PrecisionRecallDisplay.from_estimator(model, test, ytest, ax=axes[1, 0], name=name)
    CalibrationDisplay.from_estimator(model, test, ytest, n_bins=5, ax=axes[1, 1], name=name)
ConfusionMatrixDisplay.from_predictions(ytest, models["forest"].predict(test), ax=axes[1, 2], colorbar=False, display_labels=["ill", "well"])
fig.tight_layout()
fig.savefig("ml.png")
fig, (a, b) = plt.subplots(1, 2, figsize=(9, 4))
tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(train, ytrain)
nodes = plot_tree(tree, filled=True, feature_names=["u", "v"], ax=a, impurity=False)
PartialDependenceDisplay.from_estimator(models["forest"], train, [0, 1], feature_names=["u", "v"], ax=b, grid_resolution=10)
imp = permutation_importance(models["forest"], test, ytest, n_repeats=5, random_state=0)
LearningCurveDisplay.from_estimator(models["logit"], X, y, train_sizes=np.linspace(0.2, 1, 4), cv=3)
plt.savefig("learning.png")
print(len(nodes), imp.importances_mean.shape, {k: round(m.score(test, ytest), 2) for k, m in models.items()})
