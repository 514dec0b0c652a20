"""What libraries had once, or have not here, and what to write instead."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

__all__ = ["GONE"]

GONE: Final[Mapping[tuple[str, str], str]] = {
    ("DataFrame", "append"): "write pd.concat([df, other], ignore_index=True)",
    ("Series", "append"): "write pd.concat([series, other], ignore_index=True)",
    ("DataFrame", "iteritems"): "write items()",
    ("Series", "iteritems"): "write items()",
    ("DataFrame", "ix"): "write loc[] for labels or iloc[] for positions",
    ("Series", "ix"): "write loc[] for labels or iloc[] for positions",
    ("DataFrame", "mad"): "write (df - df.mean()).abs().mean()",
    ("Series", "mad"): "write (s - s.mean()).abs().mean()",
    ("DataFrame", "as_matrix"): "write to_numpy()",
    ("DataFrame", "lookup"): "write to_numpy() and index it by positions",
    ("numpy", "float"): "write float, or np.float64",
    ("numpy", "int"): "write int, or np.int64",
    ("numpy", "bool"): "write bool, or np.bool_",
    ("numpy", "object"): "write object",
    ("numpy", "str"): "write str",
    ("numpy", "complex"): "write complex",
    ("numpy", "float_"): "write np.float64",
    ("numpy", "complex_"): "write np.complex128",
    ("numpy", "NaN"): "write np.nan",
    ("numpy", "NAN"): "write np.nan",
    ("numpy", "Inf"): "write np.inf",
    ("numpy", "infty"): "write np.inf",
    ("numpy", "product"): "write np.prod",
    ("numpy", "cumproduct"): "write np.cumprod",
    ("numpy", "alltrue"): "write np.all",
    ("numpy", "sometrue"): "write np.any",
    ("numpy", "msort"): "write np.sort(a, axis=0)",
    ("numpy", "asfarray"): "write np.asarray(a, dtype=float)",
    ("numpy", "unicode_"): "write np.str_",
    ("numpy", "string_"): "write np.bytes_",
    ("scipy.integrate", "trapz"): "write scipy.integrate.trapezoid",
    ("scipy.integrate", "simps"): "write scipy.integrate.simpson",
    ("scipy.integrate", "cumtrapz"): "write scipy.integrate.cumulative_trapezoid",
    ("scipy.stats", "binom_test"): "write scipy.stats.binomtest(k, n, p).pvalue",
    ("scipy.stats", "median_absolute_deviation"): "write scipy.stats.median_abs_deviation",
    ("pandas", "datetime"): "write 'from datetime import datetime'",
    ("pandas", "Int64Index"): "write pd.Index(values, dtype='int64')",
    ("pandas", "Float64Index"): "write pd.Index(values, dtype='float64')",
    ("pandas", "Panel"): "use a DataFrame with a MultiIndex",
    ("pandas", "read_hdf"): "read CSV with pd.read_csv",
    ("pandas", "HDFStore"): "write CSV with DataFrame.to_csv",
    ("pandas", "read_gbq"): "there is no network; data is below DATA",
}
"""By the class or module, and the name."""
