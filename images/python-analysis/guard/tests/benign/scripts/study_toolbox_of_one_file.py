import string, random, hashlib, copy, re, io, csv, statistics as st, bisect, heapq, calendar, platform, gc, contextlib, tempfile, shutil, glob, os, sys, traceback, inspect, pprint, abc, types, weakref, threading, concurrent.futures as cf
from collections import Counter, defaultdict, OrderedDict, deque, ChainMap
from functools import lru_cache, cached_property, partial, reduce, singledispatch, total_ordering
import numpy as np, pandas as pd
from numpy.lib.stride_tricks import sliding_window_view
from numpy.random import default_rng, SeedSequence, Generator, PCG64
import numpy.ma as ma, numpy.linalg as la
from tqdm import tqdm
from tabulate import tabulate

class Estimator(abc.ABC):
    registry: dict = {}

    def __init_subclass__(cls, name=None, **kw):
        super().__init_subclass__(**kw)
        Estimator.registry[name or cls.__name__.lower()] = cls

    @abc.abstractmethod
    def estimate(self, x):
        ...

    def __call__(self, x):
        return self.estimate(np.asarray(x, float))

class Mean(Estimator, name='mean'):

    def estimate(self, x):
        return x.mean()

class Trimmed(Estimator):

    def __init__(self, p=0.1):
        self.p = p

    def estimate(self, x):
        x = np.sort(x)
        k = int(self.p * x.size)
        return x[k:x.size - k].mean()

class KaplanMeier:

    def __init__(self, alpha=0.05):
        self._alpha = alpha
        self.__fitted = False

    def fit(self, t, e):
        df = pd.DataFrame({'t': t, 'e': e}).groupby('t').e.agg(['sum', 'count'])
        n = df['count'][::-1].cumsum()[::-1]
        self.survival_ = (1 - df['sum'] / n).cumprod()
        self.__fitted = True
        return self

    @cached_property
    def median(self):
        if not self.__fitted:
            raise RuntimeError('fit first')
        s = self.survival_[self.survival_ <= 0.5]
        return s.index[0] if len(s) else np.inf

    def __getattr__(self, k):
        raise AttributeError(f'no {k}')

    def __len__(self):
        return len(self.survival_)

class Bayes:
    """Metropolis on two parameters"""

    def __init__(self, logp, step=0.5, rng=None):
        self.logp, self.step, self.rng = (logp, step, rng or default_rng())

    def sample(self, x0, n):
        x = np.atleast_1d(np.array(x0, float))
        lp = self.logp(x)
        out = np.empty((n, x.size))
        acc = 0
        for i in range(n):
            y = x + self.step * self.rng.normal(size=x.size)
            lq = self.logp(y)
            if np.log(self.rng.uniform()) < lq - lp:
                x, lp = (y, lq)
                acc += 1
            out[i] = x
        return (out, acc / n)

@singledispatch
def describe(x):
    return repr(x)

@describe.register
def _(x: pd.Series):
    return f'series {len(x)}'

@describe.register(np.ndarray)
def _(x):
    return f'array {x.shape}'

@contextlib.contextmanager
def section(t):
    print(f'--- {t}')
    yield
    print('---')

def main():
    rng = np.random.Generator(PCG64(SeedSequence(5)))
    x = rng.gamma(2, 2, 60)
    print({k: round(float(c()(x)), 3) for k, c in Estimator.registry.items()})
    km = KaplanMeier().fit(events.time_days, events.event)
    print(km.median, len(km), hasattr(km, 'zzz'), km._alpha)
    with section('mcmc'):
        s, a = Bayes(lambda p: -0.5 * np.sum((p - [1, 2]) ** 2), rng=default_rng(3)).sample([0, 0], 2000)
        print(s[500:].mean(0).round(1), round(a, 1), np.quantile(s, [0.05, 0.95], axis=0).round(1))
    print(describe(x), describe(pd.Series(x)), describe(3))
    print(tabulate([['a', 1.5], ['b', 2]], headers=['k', 'v'], tablefmt='pipe', floatfmt='.2f'))
    print(sum((1 for _ in tqdm(range(5), disable=True, desc='x'))))
    m = ma.masked_invalid([1, np.nan, 3])
    print(m.mean(), m.filled(0), ma.median(m), la.norm(x).round(2), sliding_window_view(x, 3).mean(1)[:2].round(2))
    r = np.rec.fromarrays([[1, 2], ['a', 'b']], names='i,s')
    print(r.i.sum(), r.dtype.names, np.core.__name__ if False else '')
    st_ = np.array([(1, 2.5)], dtype=[('a', 'i4'), ('b', 'f8')])
    print(st_['b'], np.lib.recfunctions.__name__ if False else '', np.einsum('i,i->', x, x).round(1), np.apply_along_axis(np.ptp, 0, x.reshape(6, 10)).round(1)[:2], np.vectorize(lambda v, k=2: v ** k, otypes=[float])(x[:2]).round(1), np.frompyfunc(lambda a, b: a + b, 2, 1)(1, 2), np.piecewise(x[:2], [x[:2] < 3, x[:2] >= 3], [0, lambda v: v]), np.histogram_bin_edges(x, 'fd').size, np.polynomial.Polynomial.fit(np.arange(60), x, 2).convert().coef.size, np.unique(np.round(x), return_counts=True)[1][:3], np.lexsort((x, x)).size, np.digitize(x[:3], [1, 5]), np.cov(x, x[::-1]).shape, np.gradient(x)[:1].round(2), np.busday_count('2024-01-01', '2024-02-01'), np.datetime64('2024-01-31') + np.timedelta64(1, 'D'), np.isclose(0.1 + 0.2, 0.3), np.testing.assert_allclose([1], [1]), np.packbits([1, 0]), np.errstate)
    with np.errstate(divide='ignore', invalid='raise'):
        print(np.log([0.0]))
    try:
        np.testing.assert_allclose([1], [2])
    except AssertionError as e:
        print(str(e).strip().splitlines()[0])
    np.save('a.npy', x)
    np.savez_compressed('b.npz', x=x, y=st_)
    print(np.load('a.npy').size, sorted(np.load('b.npz').files))
    np.savetxt('c.txt', x[:4], fmt='%.2f', header='h')
    print(np.loadtxt('c.txt').shape, np.genfromtxt(io.StringIO('a,b\n1,2\n,3'), delimiter=',', names=True, filling_values=0).dtype.names)
    with open('d.csv', 'w', newline='') as f:
        w = csv.DictWriter(f, ['k', 'v'], quoting=csv.QUOTE_NONNUMERIC)
        w.writeheader()
        w.writerows([{'k': 'a', 'v': 1}])
    with open('d.csv') as f:
        print(list(csv.DictReader(f)))
    with tempfile.TemporaryDirectory() as t:
        p = os.path.join(t, 'x.txt')
        open(p, 'w').write('hi')
        print(os.path.getsize(p), glob.glob(os.path.join(t, '*.txt')) != [])
        shutil.copy(p, 'copy.txt')
    print(open('copy.txt').read(), os.path.exists('copy.txt'), sorted(os.listdir('.'))[:2], platform.python_version()[:2], sys.version_info >= (3, 8), inspect.signature(main), len(inspect.getdoc(Bayes)), hashlib.sha256(x.tobytes()).hexdigest()[:8], st.NormalDist(0, 1).cdf(1.96).__round__(3), st.quantiles([1, 2, 3, 4]), calendar.monthrange(2024, 2), heapq.nlargest(2, [1, 5, 3]), bisect.bisect([1, 2, 3], 2), Counter('abca').most_common(1), ChainMap({'a': 1}, {'b': 2})['b'], reduce(lambda a, b: a * b, range(1, 5)), string.Template('$a').substitute(a=1), copy.deepcopy({'a': [1]}), re.sub('(?P<n>\\d+)', lambda m: str(int(m['n']) + 1), 'a1'), gc.collect() >= 0 if False else '')
    with cf.ThreadPoolExecutor(2) as ex:
        print(sorted(ex.map(lambda s: int(default_rng(s).integers(0, 9)), range(4))))
    try:
        KaplanMeier().median
    except RuntimeError as e:
        print(type(e).__name__, e, traceback.format_exc().strip().splitlines()[-1])
    ch = SeedSequence(1).spawn(2)
    print([int(default_rng(c).integers(100)) for c in ch])
    random.seed(1)
    np.random.seed(1)
    print(random.random().__round__(3), np.random.rand(2).round(3), np.random.RandomState(3).permutation(4), np.random.get_state()[0])
    pprint.pprint({'a': [1, 2], 'b': {'c': 3}}, width=20)
    print(f"{x.mean():>10.2f}|{'x':^5}|{1000000.0:,.0f}|{0.123:.1%}")
    print(*(f'{k}={v!r}' for k, v in vars(types.SimpleNamespace(a=1)).items()))
if __name__ == '__main__':
    try:
        main()
    except Exception:
        traceback.print_exc()
        sys.exit(1)
