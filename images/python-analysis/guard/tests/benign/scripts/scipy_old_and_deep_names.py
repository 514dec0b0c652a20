"""Names of scipy, plotly and pandas that are deep, or older, and that scripts still use."""
import json
import warnings

import numpy as np
import pandas as pd

warnings.simplefilter("ignore")
import plotly.graph_objects as go
from pandas.core.frame import DataFrame
from pandas.util import hash_pandas_object
from plotly.graph_objs import scatter
from plotly.graph_objs.layout import XAxis
from plotly.graph_objs.scatter.marker import ColorBar, Line
from plotly.utils import PlotlyJSONEncoder
from scipy.interpolate.interpolate import interp1d
from scipy.optimize.elementwise import find_root
from scipy.signal.windows.windows import hann
from scipy.sparse.csr import csr_matrix
from scipy.spatial.kdtree import KDTree
from scipy.special.orthogonal import roots_legendre
from scipy.stats.mstats_basic import winsorize
from scipy.stats.stats import pearsonr

x = np.linspace(0, 1, 9)
print(round(float(pearsonr(x, x**2)[0]), 4), csr_matrix(np.eye(3)).nnz, hann(5).round(2).tolist())
print(float(interp1d(x, x**2)(0.5)), roots_legendre(2)[1].round(3).tolist(), KDTree(np.eye(2)).query([0.9, 0.1])[1])
print(winsorize(np.arange(10.0), limits=0.1).max(), round(float(find_root(lambda v: v**2 - 2, (0, 2)).x), 5))
fig = go.Figure(go.Scatter(x=[1, 2], y=[3, 4], marker=scatter.Marker(size=9, line=Line(width=1), colorbar=ColorBar(title="n"))))
fig.update_layout(xaxis=XAxis(title="t"), shapes=[go.layout.Shape(type="line", x0=1, x1=2, y0=3, y1=4)])
told = json.loads(json.dumps(fig, cls=PlotlyJSONEncoder))
print(told["data"][0]["marker"]["line"], sorted(told))
df = pd.DataFrame({"a": [1, 2]})
print(isinstance(df, DataFrame), len(hash_pandas_object(df)))
