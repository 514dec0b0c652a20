import io, json, warnings, datetime as dt
from io import StringIO, BytesIO
from pathlib import Path
import numpy as np, pandas as pd
from pandas.api.types import CategoricalDtype, is_numeric_dtype, is_datetime64_any_dtype, is_string_dtype, infer_dtype, union_categoricals
from pandas.api.extensions import register_dataframe_accessor, register_series_accessor, register_index_accessor, ExtensionDtype, ExtensionArray, take
from pandas.api.indexers import BaseIndexer, FixedForwardWindowIndexer, VariableOffsetWindowIndexer
from pandas.tseries.offsets import BDay, CustomBusinessDay, MonthEnd, Week, QuarterEnd, DateOffset, BMonthEnd, CDay, Hour
from pandas.tseries.holiday import AbstractHolidayCalendar, Holiday, nearest_workday, USMemorialDay, USFederalHolidayCalendar, MO, EasterMonday
from pandas.tseries.frequencies import to_offset, infer_freq
from pandas.errors import MergeError, ParserError, SettingWithCopyWarning, PerformanceWarning, EmptyDataError, InvalidIndexError, UndefinedVariableError, OutOfBoundsDatetime
from pandas.testing import assert_frame_equal, assert_series_equal, assert_index_equal
from pandas.plotting import scatter_matrix, autocorrelation_plot, lag_plot, parallel_coordinates, andrews_curves, radviz, bootstrap_plot, table, register_matplotlib_converters
from pandas.io.formats.style import Styler
warnings.filterwarnings('ignore', category=FutureWarning)
warnings.simplefilter('error', SettingWithCopyWarning)
pd.options.mode.copy_on_write = False
pd.set_option('display.width', 160, 'display.max_columns', 20)
pd.options.display.float_format = '{:,.3f}'.format

@register_dataframe_accessor('study')
class StudyAccessor:

    def __init__(self, obj):
        self._validate(obj)
        self._obj = obj

    @staticmethod
    def _validate(obj):
        if 'age' not in obj.columns:
            raise AttributeError('needs age')

    @property
    def median_age(self):
        return self._obj['age'].median()

    def table1(self, by):
        rows = []
        for c in self._obj.columns.drop([by]):
            s = self._obj[c]
            if is_numeric_dtype(s):
                rows.append((c, *[f'{g.mean():.1f} ({g.std():.1f})' for _, g in s.groupby(self._obj[by])]))
            elif s.nunique() < 6:
                rows += [(f'{c} = {l}', *[f'{(g == l).sum()} ({(g == l).mean():.0%})' for _, g in s.groupby(self._obj[by])]) for l in sorted(s.dropna().unique())]
        return pd.DataFrame(rows, columns=['Characteristic', *sorted(self._obj[by].unique())]).set_index('Characteristic')

@register_series_accessor('z')
class Z:

    def __init__(self, s):
        self._s = s

    def __call__(self, ddof=1):
        return (self._s - self._s.mean()) / self._s.std(ddof=ddof)

class Cohort(pd.DataFrame):
    _metadata = ['label']

    @property
    def _constructor(self):
        return Cohort

    @property
    def _constructor_sliced(self):
        return Measure

    def adults(self):
        return self[self.age >= 50]

class Measure(pd.Series):

    @property
    def _constructor(self):
        return Measure

    @property
    def _constructor_expanddim(self):
        return Cohort

class Expanding2(BaseIndexer):

    def get_window_bounds(self, num_values=0, min_periods=None, center=None, closed=None, step=None):
        e = np.arange(num_values, dtype=np.int64) + 1
        return (np.maximum(e - self.window_size, 0).astype(np.int64), e)

class Hols(AbstractHolidayCalendar):
    rules = [Holiday('Ny', month=1, day=1, observance=nearest_workday), USMemorialDay, Holiday('Lab', month=9, day=1, offset=DateOffset(weekday=MO(1))), EasterMonday]

def demean(g):
    return g - g.mean()

def main():
    d = pd.read_csv(StringIO('id;when;v;g\n1;01.02.2020;1,5;a\n2;15.03.2020;2,5;b\n3;;NA;a\n'), sep=';', decimal=',', parse_dates=['when'], dayfirst=True, na_values=['NA'], dtype={'g': 'category'}, index_col='id', converters=None)
    print(d, d.dtypes.to_dict())
    print(pd.read_csv(StringIO('a,b\n1,2\n3,4\n5,6'), chunksize=2).get_chunk().shape, pd.read_fwf(StringIO('ab cd\n12 34\n')).iloc[0, 1], pd.read_table(StringIO('a\tb\n1\t2')).shape, pd.read_json(StringIO('[{"a":1},{"a":2}]')).a.sum(), pd.json_normalize([{'a': {'b': 1, 'c': [1, 2]}, 'd': 2}], sep='_').columns.tolist(), pd.read_csv(StringIO('a,b\n1,x'), usecols=lambda c: c == 'a', skiprows=lambda i: False, on_bad_lines='skip', engine='python').shape)
    print(patients.study.median_age, patients.drop(columns=['patient_id']).study.table1('arm').to_string())
    print(patients.bmi.z().head(2).round(3).tolist())
    c = Cohort(patients)
    c.label = 'x'
    print(type(c.adults()).__name__, type(c['age']).__name__, c.adults().label, type(c.groupby('sex').age.mean()).__name__ in ('Measure', 'Series'))
    v = visits.merge(patients[['patient_id', 'arm']], on='patient_id', how='left', validate='m:1', indicator=True)
    v['date'] = pd.to_datetime(v['date'])
    print(v._merge.value_counts().to_dict())
    print(pd.merge_asof(v.sort_values('date'), labs.assign(date=pd.to_datetime(labs.date)).sort_values('date')[['date', 'patient_id', 'value']], on='date', by='patient_id', direction='nearest', tolerance=pd.Timedelta('90D')).value.notna().mean().round(3), pd.merge_ordered(v.head(3)[['visit', 'sbp']], v.tail(3)[['visit', 'hr']], fill_method='ffill').shape)
    g = v.groupby(['arm', 'visit'], observed=True)
    print(g.agg(n=('sbp', 'size'), mean=('sbp', 'mean'), q=('sbp', lambda s: s.quantile(0.75)), iqr=('sbp', lambda s: np.subtract(*np.nanpercentile(s, [75, 25])))).round(2))
    print(g['sbp'].apply(lambda s: s.sub(s.mean()).abs().max()).unstack().round(1))
    print(v.groupby('patient_id').apply(lambda x: pd.Series({'slope': np.polyfit(x.visit, x.sbp.fillna(x.sbp.mean()), 1)[0], 'n': len(x)}), include_groups=False).describe().round(2))
    print(v.groupby('arm')['sbp'].transform(demean).abs().sum().round(1), v.groupby('arm').sbp.rolling(3).mean().dropna().iloc[0].round(2), v.groupby('patient_id').filter(lambda x: x.sbp.notna().all()).shape, g.ngroups, v.groupby('arm').pipe(lambda q: q.sbp.max() - q.sbp.min()).round(1).to_dict(), v.groupby(pd.Grouper(key='date', freq='QS')).size().head(2).to_dict(), v.groupby('arm').sbp.describe(percentiles=[0.1]).round(1).shape, v.groupby('arm').nth(0).shape, v.groupby('arm').cumcount().max(), v.groupby('arm')[['sbp', 'dbp']].corr().round(2).iloc[0, 1], v.groupby('arm').agg({'sbp': ['mean', 'std'], 'hr': 'median'}).columns.map('_'.join).tolist())
    p = v.pivot_table(index='arm', columns='visit', values=['sbp', 'dbp'], aggfunc={'sbp': 'mean', 'dbp': [np.median, 'count']}, margins=False)
    print(p.round(1))
    print(pd.crosstab(patients.sex, [patients.arm, patients.smoker], margins=True, normalize='index').round(2))
    w = v.pivot(index='patient_id', columns='visit', values='sbp').add_prefix('v')
    print(w.melt(ignore_index=False, var_name='t').dropna().shape, pd.wide_to_long(w.reset_index(), stubnames='v', i='patient_id', j='visit').shape, w.stack().shape, w.diff(axis=1).iloc[0].round(1).tolist(), w.corrwith(w.v1).round(2).tolist(), pd.get_dummies(patients[['sex', 'smoker']], drop_first=True, dummy_na=True).columns.tolist(), pd.from_dummies(pd.get_dummies(patients.sex)).iloc[0, 0], w.explode('v1').shape, patients.assign(k=lambda x: x.age // 10 * 10).explode('sex').k.mode()[0])
    ts = v.set_index('date').sort_index()['sbp']
    print(ts.resample('ME').agg(['mean', 'count']).head(2).round(1), ts.resample('2W').ohlc().shape, ts.rolling('30D', min_periods=3).median().iloc[-1].round(1), ts.rolling(4, win_type='gaussian').mean(std=1).iloc[-1].round(2), ts.rolling(Expanding2(window_size=3)).sum().iloc[5].round(1), ts.rolling(FixedForwardWindowIndexer(window_size=2)).max().iloc[0], ts.ewm(halflife='10D', times=ts.index).mean().iloc[-1].round(2), ts.expanding().apply(lambda a: np.ptp(a), raw=True).iloc[-1].round(1), ts.rolling(3).apply(np.nanmean, engine='cython').iloc[4].round(2), ts.asfreq if False else ts.groupby(ts.index.to_period('Q')).mean().head(1).round(1), ts.between_time('00:00', '01:00').shape, ts.tz_localize('UTC').tz_convert('Europe/Berlin').index[0], ts.shift(1, freq='D').index[0], ts.loc['2021-03':'2021-04'].shape, ts.first_valid_index(), ts.interpolate('time').isna().sum())
    print(pd.date_range('2024-01-01', periods=3, freq=CustomBusinessDay(calendar=Hols())), Hols().holidays('2024-01-01', '2024-12-31').tolist(), pd.bdate_range('2024-01-01', periods=2, freq='C', holidays=['2024-01-01']), to_offset('2h30min'), infer_freq(pd.date_range('2020', periods=4, freq='W')), pd.Timestamp('2024-02-29') + DateOffset(years=1), pd.Period('2024Q1').end_time, pd.Timedelta('1D 2h').components.hours, pd.to_datetime([1, 2], unit='D', origin='2020-01-01'), pd.to_datetime('3 Feb 2020', format='mixed'), pd.Timestamp.now().year > 2000, pd.interval_range(0, 4, freq=2), pd.to_timedelta(['1h', '2min']).total_seconds().tolist())
    cut = pd.cut(patients.age, [0, 40, 60, np.inf], labels=['<40', '40-59', '60+'], right=False)
    print(cut.value_counts(sort=False).to_dict(), pd.qcut(patients.bmi, 3).cat.categories, cut.cat.as_ordered().max(), cut.astype(CategoricalDtype(['60+', '40-59', '<40'], ordered=True)).sort_values().iloc[0], pd.IntervalIndex.from_breaks([0, 1, 2]).get_indexer([0.5, 1.5]), pd.arrays.IntervalArray.from_tuples([(0, 1)]).mid, pd.Series([pd.Interval(0, 1)]).map(lambda i: i.length)[0], union_categoricals([pd.Categorical(['a']), pd.Categorical(['b'])]).categories.tolist(), cut.cat.codes.head(2).tolist(), cut.cat.rename_categories(str.upper).cat.remove_unused_categories().cat.categories.tolist())
    lo = 50
    print(patients.query("age > @lo and sex == 'F' and arm.str.startswith('a')", engine='python').shape, patients.eval('ratio = age / bmi\nbig = ratio > 2').big.sum(), patients.query('index < 5 and `age` in [58, 60]').shape, pd.eval('2 * 3 + lo'), patients.eval('age + bmi').head(1).tolist())
    s = notes.note.str
    print(s.extract('(?P<drug>aspirin|metformin) (?P<dose>\\d+)').dropna().head(2), s.contains('BP', regex=False).sum(), s.findall('\\d+').str.len().max(), s.replace('\\s+', ' ', regex=True).str.title().iloc[0], s.split(',', expand=True).shape, s.extractall('(\\d{2,})').groupby(level=0).size().max(), s.replace('(\\d+) ?mg', lambda m: f'{int(m.group(1)) / 1000}g', regex=True).iloc[0], s.get_dummies(' ').shape[1] > 5, s.wrap(20).iloc[0].count('\n'), s.zfill(3).str.len().max(), s.normalize('NFKD').str.encode('ascii', errors='ignore').str.decode('ascii').iloc[0][:7], s.translate(str.maketrans('ab', 'AB')).iloc[0][:5], s.pad(50, fillchar='.').iloc[1][:5], s.cat(sep='|')[:10], s.slice_replace(0, 3, '').iloc[0][:4])
    st = patients.head(4).style.format({'age': '{:.0f}', 'bmi': lambda x: f'{x:.1f} kg'}, na_rep='-').background_gradient('Blues', subset=['age']).highlight_max(axis=0, subset=['bmi']).bar(subset=['bmi'], color='#ddd').set_caption('T1').set_table_styles([{'selector': 'th', 'props': [('color', 'red')]}]).map(lambda x: 'font-weight: bold' if x == 'F' else '', subset=['sex']).apply(lambda col: ['color: red' if q == col.max() else '' for q in col], subset=['age']).hide(axis='index').set_properties(**{'border': '1px'}).relabel_index(list('abcdefg'), axis=1)
    h = st.to_html(table_uuid='u')
    print(len(h) > 500, 'T1' in h, st.to_latex(hrules=True)[:20], isinstance(st, Styler))
    Path('t.html').write_text(h)

    class MyStyler(Styler):

        def heading(self):
            return self.set_caption('mine')
    print('mine' in MyStyler(patients.head(1), uuid='x').heading().to_html())
    df = patients.head(3)
    df.to_csv('p.csv', index=False, float_format='%.2f', quoting=1, date_format='%Y')
    df.to_json('p.json', orient='records', lines=True, force_ascii=False)
    df.to_html('p.html', border=0, classes='t', formatters={'age': '{:.1f}'.format})
    df.to_markdown('p.md')
    df.to_latex('p.tex', index=False, caption='c', label='t', float_format='%.1f', column_format='lrrrrrr', escape=True) if False else Path('p.tex').write_text(df.to_latex(index=False))
    df.to_string('p.txt', na_rep='.')
    print(sorted((q.name for q in Path('.').iterdir())))
    print(df.to_markdown(index=False, tablefmt='github'), df.to_dict('split')['columns'], df.to_dict('records')[0]['age'], df.to_records(index=False).dtype.names, df.to_xml(parser='etree')[:40], df.to_numpy().shape, pd.read_html(StringIO(df.to_html()), flavor='bs4')[0].shape if False else '', df.memory_usage(deep=True).sum() > 0)
    b = BytesIO()
    df.to_excel(b, index=False, sheet_name='S', engine='openpyxl')
    b.seek(0)
    print(pd.read_excel(b, sheet_name=None)['S'].shape)
    with pd.ExcelWriter('o.xlsx', engine='openpyxl') as wr:
        df.to_excel(wr, sheet_name='A')
        df.describe().to_excel(wr, sheet_name='B', startrow=2)
        wr.sheets['A'].column_dimensions['A'].width = 20
    print(pd.ExcelFile('o.xlsx').sheet_names)
    df.to_stata((sb := BytesIO()), write_index=False)
    sb.seek(0)
    print(pd.read_stata(sb).shape)
    buf = StringIO()
    df.info(buf=buf)
    print(buf.getvalue()[:60])
    assert_frame_equal(df, df.copy())
    try:
        assert_series_equal(df.age, df.bmi)
    except AssertionError as e:
        print(str(e).splitlines()[0])
    mi = pd.MultiIndex.from_product([list('ab'), [1, 2]], names=['x', 'y'])
    m = pd.DataFrame(np.arange(8).reshape(4, 2), index=mi, columns=pd.MultiIndex.from_tuples([('u', 'p'), ('u', 'q')]))
    idx = pd.IndexSlice
    print(m.loc[idx[:, 2], idx[:, 'q']], m.xs('a', level='x').values.tolist(), m.swaplevel().sort_index().iloc[0].tolist(), m.unstack().shape, m.groupby(level='x').sum().values.tolist(), m.droplevel(0, axis=1).columns.tolist(), m.reindex([('a', 1), ('c', 9)]).isna().sum().sum(), m.rename_axis(index={'x': 'X'}).index.names, m.columns.to_flat_index().tolist(), m.index.get_level_values('y').unique().tolist(), m.set_axis(range(4)).index[-1], m.stack(future_stack=True).shape)
    n = pd.DataFrame({'i': pd.array([1, None, 3], dtype='Int64'), 'b': pd.array([True, None, False], dtype='boolean'), 's': pd.array(['a', None, 'c'], dtype='string'), 'f': pd.array([1.5, None, 2], dtype='Float64')})
    with pd.option_context('display.max_rows', 4, 'display.precision', 1):
        print(patients)
    print(pd.get_option('display.max_rows'), pd.describe_option('display.width', _print_desc=False)[:14])
    ax = patients.plot.scatter('age', 'bmi', c='age', colormap='viridis', figsize=(4, 3))
    ax.figure.savefig('s.png')
    patients.hist(column=['age', 'bmi'], by='arm', bins=10)
    patients.boxplot(column='age', by='arm', grid=False)
    w.T.iloc[:, :5].plot(subplots=True, layout=(3, 2), sharex=True, legend=False)
    scatter_matrix(patients[['age', 'bmi']].dropna(), diagonal='kde')
    parallel_coordinates(v[['sbp', 'dbp', 'arm']].dropna().head(20), 'arm')
    autocorrelation_plot(ts.dropna())
    lag_plot(ts)
    andrews_curves(v[['sbp', 'dbp', 'arm']].dropna().head(9), 'arm')
    radviz(v[['sbp', 'dbp', 'hr', 'arm']].dropna().head(9), 'arm')
    patients.groupby('arm').age.plot(kind='kde', legend=True)
    patients.arm.value_counts().plot.pie(autopct='%.0f%%')
    ts.plot(style='.', x_compat=True)
    v.plot.hexbin('sbp', 'dbp', gridsize=10)
    import matplotlib.pyplot as plt
    print(len(plt.get_fignums()) > 5)
    plt.close('all')
    pts = patients.copy()
    pts['age'] = pts['age'].fillna(pts.groupby('sex')['age'].transform('median'))
    pts.loc[pts.eval('age > 70'), 'old'] = True
    print(pts.old.sum(), pts.isna().sum().to_dict(), pts.agg({'age': ['min', 'max']}).T.values.tolist(), np.select([pts.age < 50, pts.age < 65], ['y', 'm'], 'o')[:3], pts.age.case_when([(pts.age > 60, 1), (pts.age <= 60, 0)]).sum(), pts.sort_values(['arm', 'age'], ascending=[True, False], key=lambda s: s if s.dtype != object else s.str.lower()).iloc[0].patient_id, pd.concat({'a': pts.head(1), 'b': pts.tail(1)}, names=['part']).index.names, pd.util.hash_pandas_object(pts.head(2)).nunique(), pd.factorize(pts.site)[1].tolist(), pts.set_index('patient_id').age.to_dict()['P000'], pts.columns.str.upper().tolist()[:2], pts.age.pct_change().abs().max() > 0, pts.age.autocorr() < 1, pts.cov(numeric_only=True).shape, pts.corr('spearman', numeric_only=True).round(2).iloc[0, 1], pts.age.searchsorted(5), pts.age.value_counts(bins=3, normalize=True).sum(), pts[['age', 'bmi']].apply(lambda r: r.age / r.bmi, axis=1).mean().round(2), pts.age.sem().round(2), pts.arm.mode().tolist(), pts.age.is_monotonic_increasing, pts.lookup if False else '', pd.isna(pd.NA), pd.unique(pts.sex).tolist(), pts.age.to_frame('a').T.shape, pts.index.difference([1, 2]).size)
if __name__ == '__main__':
    main()
