import pandas as pd, numpy as np, warnings, textwrap
from contextlib import contextmanager, redirect_stdout, suppress
import io

pd.options.display.float_format = "{:.3f}".format
pd.options.mode.chained_assignment = None
print(labs.describe())
pd.reset_option("display.float_format")
with pd.option_context("display.max_rows", 6, "display.max_columns", 4, "display.precision", 1, "display.width", 60):
    print(visits)
print(pd.get_option("display.max_rows"), pd.options.display.width)
pd.set_option("display.max_colwidth", 18, "display.show_dimensions", False)
print(notes.head(3))
pd.reset_option("display.max_colwidth")

@contextmanager
def section(title):
    print(f"== {title} ".ljust(50, "="))
    yield
    print("-" * 50)

buf = io.StringIO()
patients.info(buf=buf, memory_usage=False)
with section("info"):
    print(textwrap.indent(buf.getvalue(), "| "))
with section("captured"), io.StringIO() as b, redirect_stdout(b):
    print(visits.isna().sum().to_string())
    text = b.getvalue()
print(text.splitlines()[:2])
with warnings.catch_warnings(record=True) as got:
    warnings.simplefilter("always")
    np.log(np.array([0., 1])); np.nanmean(np.array([np.nan]))
    warnings.warn("own", UserWarning, stacklevel=1)
print([(w.category.__name__, str(w.message)[:24]) for w in got])
with np.printoptions(precision=2, suppress=True, threshold=6):
    print(np.linspace(0, 1, 20), np.array([1e-9, 1]))
with np.errstate(all="raise"), suppress(FloatingPointError):
    np.float64(1) / 0
print(patients.head(2).to_dict("records")[0], patients.head(1).to_json(orient="records"), patients.iloc[:2, :2].to_csv(index=False, sep=";", lineterminator="|"))
print(patients.head(2).T.to_string(header=False, na_rep="."), patients.head(1).to_html(index=False, border=0)[:30], patients.head(2).to_latex(index=False, float_format="%.1f").count("\\\\"))
print(visits.head(1).to_records(index=False)[0], visits.head(2)["sbp"].to_string(index=False), repr(visits.head(0)), str(pd.Series(dtype=float)), pd.DataFrame().empty, patients.shape, patients.size, patients.ndim, patients.axes[1][:2].tolist())
for i, row in patients.head(2).iterrows():
    print(i, row["patient_id"], row.age)
for t in patients.head(2).itertuples(index=False, name="Patient"):
    print(t.patient_id, t._fields[:2], getattr(t, "sex"))
for c, s in patients.items():
    print(c, s.dtype, s.isna().sum(), s.nunique(), sep="\t")
try:
    import lifelines
except ImportError:
    print("no lifelines: own estimator")
df = patients.copy(deep=True); df.attrs["source"] = "bundle"; df.flags.allows_duplicate_labels
print(df.attrs, df.pop("bmi").mean().round(2), df.insert(1, "one", 1), df.columns[:2].tolist(), df._get_numeric_data().columns.tolist())
