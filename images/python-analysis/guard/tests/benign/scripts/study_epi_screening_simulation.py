"""Microsimulation of a screening programme, discounted costs and QALYs, a tornado, CEAC."""
import heapq
import math
from dataclasses import dataclass, replace, fields, field
from functools import cached_property, singledispatch, total_ordering
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

@dataclass(frozen=True, slots=True)
class Params:
    onset: float = .01
    sojourn: float = 4.
    sens: float = .85
    spec: float = .95
    cost_test: float = 40.
    cost_work: float = 600.
    cost_late: float = 20_000.
    qaly_loss: float = 2.5
    rate: float = .03

@total_ordering
@dataclass(eq=False)
class Event:
    time: float
    kind: str = field(compare=False)
    def __lt__(self, o): return self.time < o.time
    def __eq__(self, o): return self.time == o.time

class Life:
    def __init__(self, p, rng, interval):
        self.p, self.rng, self.interval = p, rng, interval
    @cached_property
    def onset(self):
        return self.rng.exponential(1 / self.p.onset)
    def run(self, horizon=30.):
        q = [Event(self.onset + self.rng.exponential(self.p.sojourn), "clinical"), Event(horizon, "end")]
        if self.interval:
            q += [Event(t, "screen") for t in np.arange(0, horizon, self.interval)]
        heapq.heapify(q)
        cost = loss = 0.
        while q:
            e = heapq.heappop(q)
            disc = (1 + self.p.rate) ** -e.time
            match e.kind:
                case "screen":
                    cost += self.p.cost_test * disc
                    ill = self.onset <= e.time
                    if self.rng.random() < (self.p.sens if ill else 1 - self.p.spec):
                        cost += self.p.cost_work * disc
                        if ill:
                            return cost + 3000 * disc, loss + .3 * disc
                case "clinical":
                    return cost + self.p.cost_late * disc, loss + self.p.qaly_loss * disc
                case _:
                    return cost, loss
        return cost, loss

def evaluate(p, interval, n=400, seed=5):
    rng = np.random.default_rng(seed)
    return np.array([Life(p, rng, interval).run() for _ in range(n)]).mean(axis=0)

base = Params()
tab = pd.DataFrame({k: evaluate(base, k) for k in (0, 10, 5, 2)}, index=["cost", "loss"]).T.rename_axis("every")
tab["icer"] = (tab.cost - tab.cost[0]) / (tab.loss[0] - tab.loss)
print(tab.round(2))
torn = {}
for f in fields(base):
    v = getattr(base, f.name)
    torn[f.name] = [evaluate(replace(base, **{f.name: min(v * k, .99) if f.name in ("sens", "spec") else v * k}), 5, 150)[0] for k in (.7, 1.3)]
t = pd.DataFrame(torn, index=["low", "high"]).T.assign(span=lambda d: (d.high - d.low).abs()).sort_values("span")
print(t.round(0).tail(3))
fig, ax = plt.subplots(1, 2, figsize=(11, 4))
ax[0].barh(t.index, t.high - t.low, left=t.low)
rng = np.random.default_rng(2)
psa = np.array([evaluate(replace(base, sens=rng.beta(85, 15), cost_late=rng.gamma(20, 1000)), 5, 60, int(rng.integers(1e6))) - evaluate(base, 0, 60, int(rng.integers(1e6))) for _ in range(15)])
wtp = np.linspace(0, 50_000, 11)
ax[1].plot(wtp, [(w * -psa[:, 1] - psa[:, 0] > 0).mean() for w in wtp])
@singledispatch
def show(x): return str(x)
@show.register
def _(x: float): return f"{x:.2f}"
@show.register(list)
def _(x): return "[" + ", ".join(map(show, x)) + "]"
print(show([1.234, "a", 2]), math.isclose(base.rate, .03), hash(base) == hash(Params()), sorted([Event(2, "b"), Event(1, "a")])[0].kind)
