import numpy as np
import matplotlib.pyplot as plt

rng = np.random.default_rng(2)
truth = rng.integers(0, 2, 300)
score = truth * 0.5 + rng.normal(0, 0.6, 300)

def rates(threshold):
    predicted = score >= threshold
    tp, fp = np.sum(predicted & (truth == 1)), np.sum(predicted & (truth == 0))
    fn, tn = np.sum(~predicted & (truth == 1)), np.sum(~predicted & (truth == 0))
    return {"sensitivity": tp / (tp + fn), "specificity": tn / (tn + fp), "ppv": tp / max(tp + fp, 1)}

for threshold in (0.0, 0.25, 0.5):
    print(threshold, {name: f"{value:.2f}" for name, value in rates(threshold).items()})
points = [(1 - r["specificity"], r["sensitivity"]) for r in map(rates, np.linspace(2, -2, 41))]
fpr, tpr = zip(*points)
print("AUC %.3f" % np.trapezoid(tpr, fpr))
plt.figure(figsize=(4, 4))
plt.plot(fpr, tpr, "k-", [0, 1], [0, 1], "r--")
plt.xlabel("1 - specificity"); plt.ylabel("sensitivity")
plt.title("ROC"); plt.grid(alpha=0.3); plt.tight_layout()
plt.savefig(OUTPUT / "roc.png"); plt.close()
