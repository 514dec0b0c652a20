import numpy as np, pandas as pd, matplotlib.pyplot as plt
from tqdm import tqdm
from tabulate import tabulate
from concurrent.futures import ThreadPoolExecutor
class Policy:
    def __init__(self, reorder, upto): self.reorder, self.upto = reorder, upto
    def __repr__(self): return f"(s={self.reorder}, S={self.upto})"
def simulate(policy, days=200, seed=0):
    rng = np.random.default_rng(seed); stock, pipeline, lost, cost = policy.upto, [], 0, 0.0
    for day in range(days):
        arrived = [q for d, q in pipeline if d == day]; stock += sum(arrived); pipeline = [(d, q) for d, q in pipeline if d > day]
        want = rng.poisson(8); sold = min(stock, want); lost += want - sold; stock -= sold; cost += 0.1 * stock + 4 * (want - sold)
        if stock + sum(q for _, q in pipeline) <= policy.reorder: q = policy.upto - stock; pipeline.append((day + int(rng.integers(2, 5)), q)); cost += 25
    return {"policy": str(policy), "seed": seed, "cost": cost, "lost": lost}
jobs = [(Policy(s, S), k) for s in (15, 25, 35) for S in (60, 90) for k in range(8)]
with ThreadPoolExecutor(4) as ex: rows = list(tqdm(ex.map(lambda a: simulate(a[0], seed=a[1]), jobs), total=len(jobs), disable=True))
df = pd.DataFrame(rows); summary = df.groupby("policy", as_index=False).agg(cost=("cost", "mean"), sd=("cost", "std"), lost=("lost", "median")).sort_values("cost")
print(tabulate(summary, headers="keys", tablefmt="github", floatfmt=".1f", showindex=False))
best = summary.iloc[0]; print("best:", best["policy"], "cheapest run", df.loc[df.cost.idxmin(), ["policy", "seed"]].to_dict())
ci = 1.96 * summary.sd / np.sqrt(8); fig, ax = plt.subplots(); ax.barh(summary.policy, summary.cost, xerr=ci); fig.savefig("cost.png"); summary.to_latex("cost.tex", index=False); print(open("cost.tex").read().count("\\\\"))
