"""Backward elimination by AIC, with a printed trace."""
import statsmodels.formula.api as smf
import pandas as pd


class BackwardSelector:
    def __init__(self, outcome, candidates, data, keep=()):
        self.outcome = outcome
        self.candidates = list(candidates)
        self.keep = set(keep)
        self.data = data.dropna(subset=[c.strip("C()") for c in candidates] + [outcome])
        self.trace = []

    def _fit(self, terms):
        rhs = " + ".join(terms) if terms else "1"
        return smf.ols(f"{self.outcome} ~ {rhs}", self.data).fit()

    def run(self):
        terms = list(self.candidates)
        best = self._fit(terms)
        self.trace.append((best.aic, None))
        while True:
            options = []
            for t in terms:
                if t in self.keep:
                    continue
                trial = [x for x in terms if x != t]
                options.append((self._fit(trial).aic, t))
            if not options or min(options)[0] >= best.aic:
                break
            aic, drop = min(options)
            terms.remove(drop)
            best = self._fit(terms)
            self.trace.append((aic, drop))
        return best, terms


df = visits.query("visit == 4").merge(patients, on="patient_id")
selector = BackwardSelector("sbp", ["C(arm)", "age", "bmi", "C(sex)", "C(site)", "C(smoker)", "hr"], df, keep={"C(arm)"})
model, kept = selector.run()
for aic, dropped in selector.trace:
    print(f"AIC {aic:8.2f}" + (f"  - {dropped}" if dropped else "  full model"))
print("kept:", kept)
print(model.params.round(2).to_string())
print(repr(selector.outcome), hasattr(selector, "trace"), len(selector.data))
