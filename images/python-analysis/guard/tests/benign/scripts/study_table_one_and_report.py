"""Table 1, adjusted models and a JSON report, as an analyst keeps it in one file."""
from __future__ import annotations
import json, logging, sys, warnings, time, math, textwrap, itertools, functools, operator, collections, datetime as dt, os
from dataclasses import dataclass, field, asdict, fields, replace
from enum import Enum, auto
from pathlib import Path
from typing import Any, Callable, Iterable, NamedTuple, Optional, Protocol, TypedDict
import numpy as np, pandas as pd, statsmodels.api as sm, statsmodels.formula.api as smf
from scipy import stats
import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt
warnings.filterwarnings('ignore', category=RuntimeWarning)
np.set_printoptions(precision=3, suppress=True)
pd.set_option('display.width', 140)
logging.basicConfig(level=logging.INFO, format='%(asctime)s %(levelname)-8s %(message)s', datefmt='%H:%M', stream=sys.stderr, force=True)
logger = logging.getLogger('study')
logger.addHandler(logging.FileHandler('study.log', mode='w'))
logger.setLevel(logging.DEBUG)
RESULTS = Path(os.environ.get('RESULTS', '.')) / 'results'
RESULTS.mkdir(parents=True, exist_ok=True)

class Kind(Enum):
    CONT = auto()
    CAT = auto()

    @classmethod
    def of(cls, s: pd.Series) -> 'Kind':
        return cls.CONT if pd.api.types.is_numeric_dtype(s) and s.nunique() > 5 else cls.CAT

class Row(TypedDict):
    name: str
    p: float

class Effect(NamedTuple):
    term: str
    est: float
    lo: float
    hi: float
    p: float

    def __str__(self):
        return f'{self.term:<24}{self.est:6.2f} ({self.lo:.2f} to {self.hi:.2f}) {fmt_p(self.p)}'

class Fitter(Protocol):

    def __call__(self, formula: str, data: pd.DataFrame) -> Any:
        ...

@dataclass(slots=True)
class Config:
    outcome: str = 'sbp'
    covariates: tuple[str, ...] = ('age', 'sex', 'bmi')
    alpha: float = 0.05
    seed: int = 1
    meta: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        if not 0 < self.alpha < 1:
            raise ValueError('alpha')

def fmt_p(p: float) -> str:
    return '<0.001' if p < 0.001 else f'{p:.3f}'

def timed(f: Callable) -> Callable:

    @functools.wraps(f)
    def inner(*a, **k):
        t = time.perf_counter()
        out = f(*a, **k)
        logger.info('%s took %.1fs', f.__name__, time.perf_counter() - t)
        return out
    return inner

@timed
def load() -> pd.DataFrame:
    d = patients.merge(visits.query('visit == 4')[['patient_id', 'sbp', 'hr']], on='patient_id', how='inner', validate='1:1').merge(events, on='patient_id')
    d = d.assign(treated=lambda x: (x['arm'] == 'active').astype(int), age_grp=lambda x: pd.cut(x.age, [0, 50, 65, 120], labels=['<50', '50-64', '65+']), smoker=lambda x: x.smoker.astype('category'))
    assert d.patient_id.is_unique, 'duplicates'
    return d

@timed
def table1(d: pd.DataFrame, by: str, cols: Iterable[str]) -> pd.DataFrame:
    out: list[dict] = []
    for c in cols:
        gs = {k: v[c].dropna() for k, v in d.groupby(by, observed=True)}
        match Kind.of(d[c]):
            case Kind.CONT:
                p = stats.ttest_ind(*gs.values(), equal_var=False).pvalue
                out.append({'Variable': f'{c}, mean (SD)', **{k: f'{v.mean():.1f} ({v.std():.1f})' for k, v in gs.items()}, 'p': fmt_p(p)})
            case Kind.CAT:
                ct = pd.crosstab(d[c], d[by])
                p = stats.chi2_contingency(ct).pvalue
                out.append({'Variable': c, 'p': fmt_p(p)})
                for lev in ct.index:
                    out.append({'Variable': f'  {lev}', **{k: f'{ct.loc[lev, k]} ({100 * ct.loc[lev, k] / ct[k].sum():.0f}%)' for k in ct.columns}})
        miss = d[c].isna().sum()
        if miss:
            out[-1]['missing'] = int(miss)
    return pd.DataFrame(out).fillna('').set_index('Variable')

def effects(res, exponentiate=False) -> list[Effect]:
    ci = res.conf_int()
    tr = np.exp if exponentiate else lambda x: x
    return [Effect(t, *map(float, (tr(res.params[t]), tr(ci.loc[t, 0]), tr(ci.loc[t, 1]), res.pvalues[t]))) for t in res.params.index if t != 'Intercept']

def forest(es: list[Effect], path: Path) -> None:
    fig, ax = plt.subplots(figsize=(6, 0.5 * len(es) + 1), constrained_layout=True)
    y = np.arange(len(es))[::-1]
    ax.errorbar([e.est for e in es], y, xerr=[[e.est - e.lo for e in es], [e.hi - e.est for e in es]], fmt='s', color='k', capsize=3)
    ax.axvline(0, ls='--', c='grey')
    ax.set_yticks(y, [e.term for e in es])
    [s.set_visible(False) for k, s in ax.spines.items() if k in ('top', 'right')]
    fig.savefig(path, dpi=120, bbox_inches='tight')
    plt.close(fig)

def main(argv: Optional[list[str]]=None) -> int:
    cfg = replace(Config(), meta={'date': dt.date(2024, 1, 2)})
    rng = np.random.default_rng(cfg.seed)
    d = load()
    logger.debug('n=%d', len(d))
    t1 = table1(d, 'arm', ['age', 'sex', 'bmi', 'smoker', 'age_grp', 'hr'])
    print(t1.to_string())
    t1.to_csv(RESULTS / 'table1.csv')
    (RESULTS / 'table1.md').write_text(t1.to_markdown())
    (RESULTS / 'table1.html').write_text(t1.to_html())
    f = f'{cfg.outcome} ~ treated + ' + ' + '.join(cfg.covariates)
    models = {'crude': smf.ols(f'{cfg.outcome} ~ treated', d).fit(), 'adjusted': smf.ols(f, d).fit(cov_type='HC3'), 'interaction': smf.ols(f + ' + treated:C(age_grp)', d).fit()}
    for k, m in models.items():
        print(f'\n{k} (n={m.nobs:.0f}, R2={m.rsquared:.3f})', *effects(m), sep='\n')
    forest(effects(models['adjusted']), RESULTS / 'forest.png')
    lg = smf.logit('event ~ treated + age', d).fit(disp=False)
    print('\nOR', *effects(lg, True), sep='\n')
    print(lg.get_margeff().summary_frame().round(3))
    ph = smf.phreg('time_days ~ treated + age', d.dropna(subset=['age']), status=d.dropna(subset=['age'])['event'].values).fit()
    print(ph.summary().tables[1].round(3))
    boot = np.array([smf.ols(f'{cfg.outcome} ~ treated', d.sample(frac=1, replace=True, random_state=int(s))).fit().params['treated'] for s in rng.integers(0, 1000000.0, 50)])
    print('bootstrap', np.percentile(boot, [2.5, 97.5]).round(1))
    report = {'config': asdict(cfg), 'effects': {k: [e._asdict() for e in effects(m)] for k, m in models.items()}, 'n': len(d), 'dtypes': d.dtypes.astype(str).to_dict()}

    class Enc(json.JSONEncoder):

        def default(self, o):
            return o.item() if isinstance(o, np.generic) else o.isoformat() if isinstance(o, (dt.date, pd.Timestamp)) else super().default(o)
    (RESULTS / 'report.json').write_text(json.dumps(report, cls=Enc, indent=2, sort_keys=True))
    back = json.loads((RESULTS / 'report.json').read_text())
    print(back['config']['meta'], len(back['effects']['adjusted']))
    print(sorted((p.relative_to(RESULTS).as_posix() for p in RESULTS.rglob('*') if p.is_file())))
    print(textwrap.fill('The adjusted difference was ' + str(effects(models['adjusted'])[0].est.__round__(2)), 40))
    print([f.name for f in fields(Config)], Path('study.log').read_text().count('INFO') >= 2)
    return 0
if __name__ == '__main__':
    sys.exit(main())
