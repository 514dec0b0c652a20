"""What scripts add to the libraries of statistics in the ways that these document: accessors, heirs, experiments."""

from __future__ import annotations

from tests.test_packages import Case


class Accessors(Case):
    def test_tables_series_and_indexes_have_them(self) -> None:
        self.prints(
            """
import pandas as pd
from pandas.api.extensions import register_dataframe_accessor, register_index_accessor, register_series_accessor

@register_dataframe_accessor("study")
class Study:
    made = 0
    def __init__(self, table):
        if "age" not in table.columns:
            raise AttributeError("no age")
        Study.made += 1
        self._table = table
    @property
    def oldest(self):
        return int(self._table["age"].max())

register_series_accessor("spread")(lambda series: int(series.max() - series.min()))
register_index_accessor("size_of")(len)

class Cohort(pd.DataFrame):
    @property
    def _constructor(self):
        return Cohort

table = pd.DataFrame({"age": [30, 50]})
print(table.study.oldest, table.study.oldest, Study.made, table["age"].spread, table.index.size_of)
print(Cohort(table).study.oldest, Cohort(table).head(1).study.oldest)
for wrong in (lambda: pd.DataFrame({"x": [1]}).study, lambda: table.nothing, lambda: table.index.nothing):
    try:
        wrong()
    except AttributeError as error:
        print(error)
""",
            "50 50 1 20 2\n50 30\nno age\n'DataFrame' object has no attribute 'nothing'\n"
            "'RangeIndex' object has no attribute 'nothing'\n",
        )

    def test_none_is_special_or_replaces(self) -> None:
        self.refused(
            "import pandas as pd\nfrom pandas.api import extensions\nclass Name(str): pass\n",
            ("extensions.register_dataframe_accessor('__array_interface__')(dict)", "ValueError"),
            ("extensions.register_dataframe_accessor('_mgr')(dict)", "ValueError"),
            ("extensions.register_index_accessor('__array_struct__')(dict)", "ValueError"),
            ("extensions.register_series_accessor('mean')(dict)", "ValueError"),
            ("extensions.register_series_accessor(Name('fresh'))(dict)", "ValueError"),
        )


class Heirs(Case):
    def test_of_statsmodels(self) -> None:
        self.prints(
            """
import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.base.model import GenericLikelihoodModel
from statsmodels.compat import lzip
from statsmodels.tsa.deterministic import DeterministicTerm

class Shift(DeterministicTerm):
    def __init__(self, when):
        self._when = when
    def __str__(self):
        return "shift"
    @property
    def _eq_attr(self):
        return (self._when,)
    def in_sample(self, index):
        index = self._index_like(index)
        return pd.DataFrame({"shift": (index >= self._when).astype(float)}, index=index)
    def out_of_sample(self, steps, index, forecast_index=None):
        index = self._extend_index(index, steps, forecast_index)
        return pd.DataFrame({"shift": np.ones(len(index))}, index=index)

class Normal(GenericLikelihoodModel):
    def __init__(self, endog, exog):
        super().__init__(endog, exog)
        self._set_extra_params_names(["log_sigma"])
    def nloglikeobs(self, params):
        return (self.endog - self.exog @ params[:-1]) ** 2 / np.exp(2 * params[-1]) / 2 + params[-1]

months = pd.period_range("2020-01", periods=4, freq="M")
shift = Shift(months[2])
print(shift.in_sample(months)["shift"].tolist(), shift.out_of_sample(1, months)["shift"].tolist(), shift == Shift(months[2]))
print(Normal(np.arange(9.0), np.ones((9, 1))).exog_names, lzip("ab", [1, 2]))
""",
            "[0.0, 0.0, 1.0, 1.0] [1.0] True\n['const', 'log_sigma'] [('a', 1), ('b', 2)]\n",
        )

    def test_of_scikit_learn(self) -> None:
        self.prints(
            """
import numpy as np
import sklearn
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.experimental import enable_halving_search_cv, enable_iterative_imputer
from sklearn.feature_selection import SelectorMixin
from sklearn.impute import IterativeImputer
from sklearn.model_selection import BaseCrossValidator, HalvingGridSearchCV, cross_val_score
from sklearn.linear_model import LinearRegression
from sklearn.mixture import GaussianMixture
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

class First(SelectorMixin, BaseEstimator):
    _estimator_type = "selector"
    def fit(self, X, y=None):
        X = self._validate_data(X)
        self.width_ = X.shape[1]
        self._n_features_out = 1
        return self
    def _get_support_mask(self):
        check_is_fitted(self)
        return np.arange(self.width_) < 1
    def __sklearn_is_fitted__(self):
        return hasattr(self, "width_")
    def _more_tags(self):
        return {"allow_nan": True}
    @available_if(lambda self: hasattr(self, "width_"))
    def describe(self):
        return f"{self.n_features_in_} columns"

class Halves(BaseCrossValidator):
    def get_n_splits(self, X=None, y=None, groups=None):
        return 2
    def _iter_test_indices(self, X=None, y=None, groups=None):
        yield from np.array_split(np.arange(len(X)), 2)

X = np.arange(12.0).reshape(6, 2)
first = First()
print(hasattr(first, "describe"), first.fit(X).transform(X).shape, first.describe(), sklearn.__version__ > "1")
print(cross_val_score(LinearRegression(), X, X[:, 0], cv=Halves()).round(2).tolist())
print(IterativeImputer(max_iter=1).fit_transform([[1, 2], [np.nan, 3], [2, 4]]).shape, HalvingGridSearchCV.__name__)
print(GaussianMixture(1, random_state=0).fit(X).converged_)
""",
            "False (6, 1) 2 columns True\n[1.0, 1.0]\n(3, 2) HalvingGridSearchCV\nTrue\n",
        )

    def test_names_that_are_not_documented_stay_private(self) -> None:
        self.refused(
            "import statsmodels.api as sm\nfrom sklearn.base import BaseEstimator\n"
            "class Mine(BaseEstimator): pass\nclass Model(sm.OLS): pass\nmodel = Model([1, 2], [1, 1])\n",
            ("Mine()._repr_html_inner", "AttributeError"),
            ("Mine._get_param_names", "AttributeError"),
            ("model._data_attr", "AttributeError"),
            ("model._n_features_out = 1; model._init_keys = []", "AttributeError"),
            ("type('Theirs', (BaseEstimator,), {'_get_param_names': classmethod(lambda cls: ['__class__'])})", "TypeError"),
        )


class Names(Case):
    def test_what_a_module_documents_beside_its_list(self) -> None:
        self.prints(
            """
from pandas.core.groupby import Grouper, NamedAgg
from pandas.errors import ChainedAssignmentError
from pandas.io.formats.style import Styler
from pandas.io.json import build_table_schema
from pandas.tseries.holiday import AbstractHolidayCalendar, EasterMonday, Holiday, USLaborDay, nearest_workday
from scipy.cluster.hierarchy import ClusterWarning
from scipy.interpolate import pchip
from scipy.odr import odr_error, odr_stop
from scipy.stats.contingency import Chi2ContingencyResult
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.utils import gen_batches, safe_sqr
from sklearn.utils.extmath import randomized_svd
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.random import sample_without_replacement
from sklearn.utils.validation import check_memory
from statsmodels.robust.robust_linear_model import RLMResults
from statsmodels.sandbox.regression.gmm import IVRegressionResults, spec_hausman
from statsmodels.sandbox.stats.multicomp import get_tukeyQcrit
from statsmodels.sandbox.stats.runs import Runs
from statsmodels.tools.eval_measures import aic, mse, rmse

class Days(AbstractHolidayCalendar):
    rules = [Holiday("new year", month=1, day=1, observance=nearest_workday), EasterMonday]

print(Days().holidays("2024-01-01", "2024-12-31").strftime("%m-%d").tolist(), rmse([1.0, 2.0], [1.0, 4.0]).round(3))
""",
            "['01-01', '04-01'] 1.414\n",
        )

    def test_what_was_left_out_stays_so(self) -> None:
        self.refused(
            "import pandas as pd, statsmodels.compat, sklearn.utils, pandas.io.json, pandas.io.formats.style",
            ("pd.io.common", "AttributeError"),
            ("pd.io.json.ujson_dumps", "AttributeError"),
            ("pd.io.formats.style.jinja2", "AttributeError"),
            ("statsmodels.compat.python", "AttributeError"),
            ("statsmodels.compat.PytestTester", "AttributeError"),
            ("sklearn.utils.all_estimators", "AttributeError"),
        )


class Copies(Case):
    def test_a_vectorised_function_is_copied_with_its_name(self) -> None:
        self.prints(
            """
import copy
import numpy as np
from scipy import stats
double = np.vectorize(lambda x: 2 * x)
print(copy.deepcopy(double)([1, 2]).tolist(), copy.deepcopy(stats.norm(1)).mean())
""",
            "[2, 4] 1.0\n",
        )


class Matrices(Case):
    def test_many_are_written_and_read(self) -> None:
        self.prints(
            """
import io
import numpy as np
import scipy.io
for number in range(40):
    stream = io.BytesIO()
    scipy.io.mmwrite(stream, np.eye(3) * number)
stream.seek(0)
print(scipy.io.mmread(stream)[0].tolist())
from scipy.io import arff
data, meta = arff.loadarff(io.StringIO("@relation r\\n@attribute a numeric\\n@attribute c {x,y}\\n@data\\n1,x\\n2,y\\n"))
print(data["a"].tolist(), meta.names())
""",
            "[39.0, 0.0, 0.0]\n[1.0, 2.0] ['a', 'c']\n",
        )

    def test_no_other_file_is_read(self) -> None:
        self.refused(
            "from scipy.io import arff",
            ("arff.loadarff(SECRET)", "PermissionError"),
            ("arff.loadarff(0)", "PermissionError"),
        )
