from io import StringIO
import numpy as np, pandas as pd, statsmodels.api as sm, statsmodels.formula.api as smf
from statsmodels.iolib.summary2 import summary_col, Summary, summary_params, summary_model
from statsmodels.iolib.summary import Summary as Summary1, forg, summary_params_frame
from statsmodels.iolib.table import SimpleTable, default_txt_fmt, default_latex_fmt, default_html_fmt, Cell, csv2st
from statsmodels.iolib.tableformatting import fmt_base, gen_fmt, fmt_params, fmt_2cols

class Report:
    """collects rows, writes in three formats"""

    def __init__(self, title):
        self.title, self.rows = (title, [])

    def add(self, label, *cells):
        self.rows.append([label, *[f'{c:.3f}' if isinstance(c, float) else str(c) for c in cells]])
        return self

    def table(self, headers):
        return SimpleTable([r[1:] for r in self.rows], headers, [r[0] for r in self.rows], title=self.title, txt_fmt=dict(default_txt_fmt, table_dec_above='-', colsep=' | '))

def main():
    rng = np.random.default_rng(0)
    d = pd.DataFrame({'y': rng.normal(size=90), 'a': rng.normal(size=90), 'b': rng.normal(size=90), 'g': list('xyz') * 30})
    m = [smf.ols(f, d).fit() for f in ('y ~ a', 'y ~ a + b', 'y ~ a + b + C(g)')]
    t = Report('Fit').add('alpha', 1.5, 'x').add('beta', 2.25, None).table(['est', 'note'])
    print(t)
    print(t.as_latex_tabular())
    print(t.as_html())
    print(t.as_csv())
    t.extend_right(SimpleTable([['1'], ['2']], ['new']))
    print(t.as_text())
    t2 = SimpleTable(np.arange(6).reshape(2, 3), headers=list('abc'), stubs=['r1', 'r2'], datatypes=[0, 1, 0], data_fmts=['%d', '%.2f'], title='T')
    print(t2)
    t2.insert(1, ['9', '8', '7'], datatypes=None) if False else None
    print(t2[0][0].data, t2[0].as_string(), [c.data for c in t2[1]])
    t2.label_cells(lambda cell: 'head' if cell.datatype in ('header',) else cell.datatype) if False else None
    su = Summary()
    su.add_dict({'Model': 'OLS', 'N': 90, 'R2': 0.25}, ncols=2)
    su.add_df(pd.DataFrame({'coef': [1.0, 2], 'p': [0.01, 0.5]}, index=['a', 'b']), float_format='%.2f')
    su.add_array(np.eye(2))
    su.add_base(m[0]) if True else None
    su.add_title(title='Mine')
    su.add_text('a footnote')
    print(su.as_text())
    print(su.as_html()[:100])
    s1 = m[2].summary(title='My model', xname=[f'v{i}' for i in range(5)], alpha=0.1, slim=True)
    print(s1)
    s1.add_extra_txt(['one', 'two'])
    print(s1.as_text()[-200:])
    print(s1.tables[1].data[1][:3])
    df = pd.DataFrame(s1.tables[1].data[1:], columns=s1.tables[1].data[0]).set_index('')
    print(df)
    print(summary_params(m[0]).round(3))
    print(summary_params_frame(m[0]).round(3))
    print(summary_model(m[0])['Dependent Variable:'])
    print(forg(0.00012345), forg(123456.789, 4))
    print(csv2st.__name__)
    new = Summary1()
    new.tables.append(s1.tables[0])
    print(str(new)[:80])
    print(m[0].summary2().tables[1].columns.tolist())
main()
