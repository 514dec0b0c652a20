"""What analysts and models expect of the image beside pandas: each package does its ordinary work, and no more."""

from __future__ import annotations

import unittest
from typing import Any

from tests.benign import policy
from tests.host import STAGE_2, Host, Run

IMPORTS = policy.imports("study-analysis")


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)
        (self.host.directory / "secret").write_text("secret")

    def run_script(self, code: str, **changes: Any) -> Run:
        if STAGE_2:
            changes.setdefault("seccomp", STAGE_2)
        run = self.host.run(code, imports=IMPORTS, **changes)
        self.assertEqual((run.outcome, run.error), ("completed", ""), run.report)
        return run

    def prints(self, code: str, text: str, **changes: Any) -> None:
        self.assertEqual(self.run_script(code, **changes).stdout, text)

    def refused(self, setup: str, *statements: tuple[str, str]) -> None:
        """Each statement must raise the error that stands with it."""
        lines = [setup, f"SECRET = {str(self.host.directory / 'secret')!r}"]
        for statement, error in statements:
            lines += ["try:", f"    {statement}", "except Exception as error:"]
            lines += [f"    if type(error).__name__ != {error!r}: print({statement!r}, repr(error))"]
            lines += ["else:", f"    print({statement!r}, 'ESCAPED')"]
        self.prints("\n".join(lines), "")


class Seaborn(Case):
    def test_it_draws(self) -> None:
        run = self.run_script("""
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
sns.set_theme(style="whitegrid", palette="deep")
rng = np.random.default_rng(1)
df = pd.DataFrame({"x": rng.normal(size=60), "y": rng.normal(size=60), "g": ["a", "b", "c"] * 20})
fig, axes = plt.subplots(3, 3)
sns.scatterplot(data=df, x="x", y="y", hue="g", ax=axes[0, 0])
sns.histplot(df, x="x", hue="g", kde=True, ax=axes[0, 1])
sns.boxplot(data=df, x="g", y="y", ax=axes[0, 2])
sns.violinplot(data=df, x="g", y="y", hue="g", ax=axes[1, 0])
sns.barplot(data=df, x="g", y="y", estimator="median", errorbar=("ci", 90), n_boot=50, ax=axes[1, 1])
sns.regplot(data=df, x="x", y="y", lowess=False, ax=axes[1, 2])
sns.heatmap(df[["x", "y"]].corr(), annot=True, fmt=".2f", cmap="vlag", ax=axes[2, 0])
sns.lineplot(data=df, x="g", y="y", ax=axes[2, 1])
sns.kdeplot(data=df, x="x", y="y", ax=axes[2, 2])
sns.despine()
fig.savefig(OUTPUT / "axes.png")
sns.pairplot(df, hue="g").savefig(OUTPUT / "pairs.png")
sns.FacetGrid(df, col="g").map_dataframe(sns.scatterplot, "x", "y").savefig(OUTPUT / "grid.png")
sns.catplot(data=df, x="g", y="y", kind="strip")
sns.jointplot(data=df, x="x", y="y")
sns.clustermap(df[["x", "y"]].head(8))
sns.lmplot(data=df, x="x", y="y", hue="g", n_boot=20)
sns.displot(df, x="x", kind="ecdf")
plt.close("all")
import seaborn.objects as so
so.Plot(df, x="x", y="y", color="g").add(so.Dot()).add(so.Line(), so.PolyFit()).save(OUTPUT / "objects.png")
""")
        self.assertEqual({*run.paths}, {"axes.png", "pairs.png", "grid.png", "objects.png"})

    def test_its_data_is_not_there(self) -> None:
        self.refused("import seaborn as sns", ("sns.load_dataset('iris')", "AttributeError"))


class Learning(Case):
    def test_models_are_fitted_and_validated(self) -> None:
        self.prints(
            """
import numpy as np
import pandas as pd
from sklearn.cluster import DBSCAN, KMeans, AgglomerativeClustering
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.decomposition import PCA
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression
from sklearn.manifold import TSNE
from sklearn.metrics import accuracy_score, classification_report, confusion_matrix, roc_auc_score
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, export_text
X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)
for model in (LogisticRegression(), SVC(probability=True), KNeighborsClassifier(), GaussianNB(),
              DecisionTreeClassifier(max_depth=3), RandomForestClassifier(20, n_jobs=-1), GradientBoostingClassifier(n_estimators=5),
              HistGradientBoostingClassifier(max_iter=5), MLPClassifier((8,), max_iter=300)):
    fitted = make_pipeline(StandardScaler(), model).fit(X_train, y_train)
    assert fitted.score(X_test, y_test) > 0.85, model
    assert roc_auc_score(y_test, fitted.predict_proba(X_test)[:, 1]) > 0.9
frame = pd.DataFrame({"age": [20, None, 40, 60, 30, 50] * 5, "sex": list("fmfmff") * 5})
steps = ColumnTransformer([("n", Pipeline([("i", SimpleImputer()), ("s", StandardScaler())]), ["age"]),
                           ("c", OneHotEncoder(handle_unknown="ignore"), ["sex"])])
pipe = Pipeline([("columns", steps), ("model", LogisticRegression())]).fit(frame, [0, 1, 0, 1, 0, 1] * 5)
print(list(pipe[:-1].get_feature_names_out()), pipe.named_steps.model.classes_)
search = GridSearchCV(RandomForestClassifier(random_state=0), {"n_estimators": [5, 10]}, cv=StratifiedKFold(3), n_jobs=2).fit(X, y)
print(sorted(search.best_params_), cross_val_score(LinearRegression(), X, y, cv=3).shape)
print(PCA(2).fit_transform(X).shape, KMeans(3, n_init=2, random_state=0).fit_predict(X).max(), GaussianMixture(2).fit(X).converged_)
print(SelectKBest(k=3).set_output(transform="pandas").fit_transform(X, y).shape, RFE(Lasso(), n_features_to_select=4).fit(X, y).n_features_)
print(SelectFromModel(Lasso(), importance_getter="coef_").fit(X, y).transform(X).shape[0], KNNImputer().fit_transform(X).shape)
print(DBSCAN().fit(X[:20]).labels_.shape, AgglomerativeClustering(2).fit(X[:20]).n_leaves_, TSNE(perplexity=3).fit_transform(X[:10]).shape)
print(permutation_importance(LinearRegression().fit(X, y), X, y, n_repeats=2).importances_mean.shape)
print(TfidfVectorizer(stop_words="english").fit_transform(["a fine day", "a bad night"]).shape)
print(confusion_matrix([0, 1], [0, 1]).tolist(), accuracy_score([1], [1]), len(classification_report([0, 1], [0, 1])) > 50)
print(repr(RandomForestClassifier(n_estimators=3)), load_iris().target_names, export_text(DecisionTreeClassifier(max_depth=1).fit([[0], [1]], [0, 1])))
""",
            """\
['n__age', 'c__sex_f', 'c__sex_m'] [0 1]
['n_estimators'] (3,)
(569, 2) 2 True
(569, 3) 4
569 (569, 30)
(20,) 20 (10, 2)
(30,)
(2, 4)
[[1, 0], [0, 1]] 1.0 True
RandomForestClassifier(n_estimators=3) ['setosa' 'versicolor' 'virginica'] |--- feature_0 <= 0.50
|   |--- class: 0
|--- feature_0 >  0.50
|   |--- class: 1

""",
        )

    def test_a_script_writes_its_own_estimators(self) -> None:
        self.prints(
            """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_array, check_is_fitted
class Center(TransformerMixin, BaseEstimator):
    def __init__(self, by=1.0):
        self.by = by
    def fit(self, X, y=None):
        self.mean_ = np.mean(X, axis=0)
        return self
    def transform(self, X):
        check_is_fitted(self)
        return (check_array(X) - self.mean_) * self.by
class Most(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self._most = self.classes_[counts.argmax()]
        return self
    def predict(self, X):
        return np.full(len(X), self._most)
X = np.array([[1.0], [3.0], [5.0]])
print(clone(Center(2.0)), Center(2).fit_transform(X).ravel().tolist(), Center().get_params())
print(make_pipeline(Center(), FunctionTransformer(np.abs), Most()).fit(X, [1, 1, 0]).predict(X).tolist())
""",
            "Center(by=2.0) [-4.0, 0.0, 4.0] {'by': 1.0}\n[1, 1, 1]\n",
        )

    def test_its_plots(self) -> None:
        self.run_script("""
import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.inspection import DecisionBoundaryDisplay, PartialDependenceDisplay
from sklearn.metrics import ConfusionMatrixDisplay, RocCurveDisplay
from sklearn.tree import DecisionTreeClassifier, plot_tree
X, y = make_classification(n_features=4, random_state=0)
tree = DecisionTreeClassifier(max_depth=2).fit(X, y)
plot_tree(tree)
ConfusionMatrixDisplay.from_estimator(tree, X, y)
RocCurveDisplay.from_estimator(tree, X, y)
PartialDependenceDisplay.from_estimator(tree, X, [0, 1])
plt.close("all")
""")

    def test_what_is_refused(self) -> None:
        self.refused(
            """
import numpy as np
import sklearn.datasets
from sklearn.base import clone
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KDTree
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier
X, y = np.array([[0.0], [1.0]]), [0, 1]
def by(path): return SelectFromModel(LinearRegression(), importance_getter=path).fit(X, y).get_support()
def counted(): pass
counted.get_params = lambda deep=True: {}
tree = DecisionTreeClassifier().fit(X, y)
""",
            ("sklearn.datasets.fetch_openml('x')", "AttributeError"),
            ("by('__init__.__globals__')", "AttributeError"),
            ("by('_validate_data')", "AttributeError"),
            ("clone(counted)", "TypeError"),
            ("Pipeline([('m', LinearRegression())], memory=str(OUTPUT)).fit(X, y)", "PermissionError"),
            ("sklearn.datasets.load_svmlight_file(SECRET)", "PermissionError"),
            ("sklearn.datasets.load_files(SECRET)", "PermissionError"),
            ("sklearn.datasets.dump_svmlight_file(X, y, SECRET)", "PermissionError"),
            ("LogisticRegression().set_params(**{'__class__': 1})", "ValueError"),
        )
        self.prints(
            """
import numpy as np
from sklearn.neighbors import BallTree, KDTree
from sklearn.tree import DecisionTreeClassifier
X = np.arange(8.0).reshape(-1, 1)
tree = DecisionTreeClassifier().fit(X, [0, 1] * 4).tree_
tree.children_left[:], tree.feature[:] = 10**9, 10**9
print(tree.children_left.max() < 20, tree.feature.max())
for kind in (KDTree, BallTree):
    held = kind(X)
    held.get_arrays()[1][:] = 10**9
    print(held.get_arrays()[1].max(), held.query(X, k=1)[1].ravel().tolist())
""",
            "True 0\n7 [0, 1, 2, 3, 4, 5, 6, 7]\n7 [0, 1, 2, 3, 4, 5, 6, 7]\n",
        )


class Tables(Case):
    def test_workbooks(self) -> None:
        run = self.run_script("""
import pandas as pd
import openpyxl
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.utils.dataframe import dataframe_to_rows
from openpyxl.formatting.rule import ColorScaleRule
df = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
df.to_excel(OUTPUT / "plain.xlsx", index=False)
with pd.ExcelWriter(OUTPUT / "two.xlsx") as writer:
    df.to_excel(writer, sheet_name="one", index=False)
    df.describe().to_excel(writer, sheet_name="two")
    writer.sheets["one"].column_dimensions["A"].width = 20
book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Summary"
for row in dataframe_to_rows(df, index=False):
    sheet.append(row)
for cell in sheet[1]:
    cell.font, cell.fill = Font(bold=True), PatternFill("solid", fgColor="DDDDDD")
    cell.border, cell.alignment = Border(bottom=Side(style="thin")), Alignment(horizontal="center")
sheet["C1"] = "=SUM(A2:A3)"
chart = BarChart()
chart.add_data(Reference(sheet, min_col=1, min_row=1, max_row=3), titles_from_data=True)
sheet.add_chart(chart, "E2")
sheet.conditional_formatting.add("A2:A3", ColorScaleRule(start_type="min", start_color="FFFFFF", end_type="max", end_color="FF0000"))
sheet.freeze_panes = "A2"
book.save(OUTPUT / "styled.xlsx")
again = openpyxl.load_workbook(OUTPUT / "styled.xlsx")
print(again.sheetnames, again["Summary"]["A2"].value, again["Summary"]["A1"].font.bold, get_column_letter(28))
print(pd.read_excel(OUTPUT / "two.xlsx", sheet_name=None)["one"].equals(df))
lazy = openpyxl.load_workbook(OUTPUT / "plain.xlsx", read_only=True)
print([row for row in lazy.active.iter_rows(values_only=True)])
quick = openpyxl.Workbook(write_only=True)
quick.create_sheet().append([1, 2])
quick.save(OUTPUT / "quick.xlsx")
""")
        self.assertEqual(run.stdout, "['Summary'] 1 True AB\nTrue\n[('a', 'b'), (1, 'x'), (2, 'y')]\n")
        self.assertEqual(len(run.report["files"]), 4)

    def test_workbooks_stay_in_their_zones(self) -> None:
        self.refused(
            "import openpyxl, pandas as pd\nfrom openpyxl.drawing.image import Image",
            ("openpyxl.load_workbook(SECRET + '.xlsx')", "PermissionError"),
            ("openpyxl.Workbook().save(SECRET)", "PermissionError"),
            ("pd.read_excel(SECRET, engine='openpyxl')", "PermissionError"),
            ("Image(SECRET)", "PermissionError"),
        )

    def test_text_and_web_pages(self) -> None:
        self.prints(
            """
import io
import pandas as pd
from tabulate import tabulate
df = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
print(df.to_markdown(index=False))
print(tabulate([[1, 2]], headers=["p", "q"], tablefmt="grid"))
[found] = pd.read_html(io.StringIO(df.to_html(index=False)))
print(found.equals(df))
""",
            """\
|   a | b   |
|----:|:----|
|   1 | x   |
|   2 | y   |
+-----+-----+
|   p |   q |
+=====+=====+
|   1 |   2 |
+-----+-----+
True
""",
        )

    def test_styles(self) -> None:
        run = self.run_script("""
import pandas as pd
df = pd.DataFrame({"a": [1.25, -2], "b": ["x", "y"]})
styler = df.style.format({"a": "{:.1f}"}).highlight_max(subset=["a"]).set_caption("Table 1").hide(axis="index")
styler = styler.map(lambda v: "color: red" if v < 0 else "", subset=["a"]).background_gradient(subset=["a"]).bar(subset=["a"])
styler.to_html(OUTPUT / "table.html")
text = styler.to_html(doctype_html=True)
print(text.startswith("<!DOCTYPE html>"), "Table 1" in text, "color: red" in text, "1.2" in text)
print(styler.to_latex().startswith("\\\\begin{table}"), styler.to_latex(environment="longtable").startswith("\\\\begin{longtable}"))
print(df.style.to_string())
df.style.highlight_max(subset=["a"]).to_excel(OUTPUT / "styled.xlsx", engine="openpyxl")
styler
""")
        self.assertEqual(run.stdout, "True True True True\nTrue True\n a b\n0 1.250000 x\n1 -2.000000 y\n\n")

    def test_templates_are_pandas_own(self) -> None:
        self.refused(
            """
import pandas as pd
style = pd.DataFrame({"a": [1]}).style
""",
            ("style.from_custom_template(str(OUTPUT), html_table='x.tpl')", "PermissionError"),
            ("style.env.from_string('x')", "AttributeError"),
            ("style.loader.load", "AttributeError"),
            ("style.template_html.environment", "AttributeError"),
            ("getattr(style.template_html.render, '__glo' + 'bals__')", "AttributeError"),
            ("style.to_html(html_style_tpl='x')", "TypeError"),
            ("style.to_html(body=[[1 / 0]])", "ZeroDivisionError"),
        )


class Bars(Case):
    def test_a_bar(self) -> None:
        run = self.run_script("""
import pandas as pd
from tqdm import tqdm, trange
from tqdm.auto import tqdm as auto
import threading
for _ in tqdm(range(3), desc="steps"):
    pass
for _ in trange(2):
    pass
for _ in auto([1], leave=False):
    pass
tqdm.pandas()
print(pd.Series([1, 2]).progress_apply(lambda v: v + 1).tolist(), threading.active_count())
with tqdm(total=2, bar_format="{l_bar}{bar}|{n_fmt}") as bar:
    bar.update(2)
    bar.set_postfix(loss=1)
    tqdm.write("said")
""")
        self.assertEqual(run.stdout, "[2, 3] 1\nsaid\n")
        self.assertIn("steps: 100%", run.stderr)

    def test_what_is_refused(self) -> None:
        self.refused(
            "import tqdm as package\nfrom tqdm import tqdm",
            ("package.main(['--help'])", "AttributeError"),
            ("tqdm.monitor_interval = 1", "AttributeError"),
            ("tqdm([1], bar_format='{bar.__init__.__globals__}').refresh()", "AttributeError"),
        )


class Networkx(Case):
    def test_it_computes_and_draws(self) -> None:
        run = self.run_script("""
import matplotlib.pyplot as plt
import networkx as nx
import pandas as pd
wards = nx.Graph()
wards.add_weighted_edges_from([("north", "south", 2), ("south", "west", 1), ("west", "pharmacy", 4)])
wards.add_node("annex")
print(nx.shortest_path(wards, "north", "pharmacy", weight="weight"), [len(part) for part in nx.connected_components(wards)])
print(round(nx.pagerank(wards)["south"], 3), nx.degree_centrality(wards)["west"], nx.density(wards))
print(nx.gnp_random_graph(9, 0.4, seed=5).size(), [len(each) for each in nx.community.louvain_communities(nx.cycle_graph(6), seed=1)])
print(nx.from_pandas_edgelist(pd.DataFrame({"a": [1], "b": [2]}), "a", "b").edges, nx.to_numpy_array(nx.path_graph(2)).tolist())
try:
    next(nx.connected_components(nx.DiGraph([(1, 2)])))
except nx.NetworkXNotImplemented as error:
    print(error)
class Route(nx.DiGraph):
    def length(self): return self.size(weight="km")
route = Route()
route.add_edge("a", "b", km=3)
print(route.length(), list(nx.topological_sort(route)), nx.minimum_spanning_tree(wards).number_of_edges())
nx.write_graphml(wards, "wards.graphml")
nx.write_edgelist(wards, OUTPUT / "wards.edges.gz")
print(nx.read_graphml("wards.graphml").size(), nx.read_edgelist("wards.edges.gz").size())
nx.draw(wards, nx.kamada_kawai_layout(wards), with_labels=True)
plt.savefig("wards.png")
plt.close("all")
""")
        said = (
            "['north', 'south', 'west', 'pharmacy'] [4, 1]\n0.232 0.5 0.3\n13 [2, 2, 2]\n[(1, 2)] [[0.0, 1.0], [1.0, 0.0]]\n"
            "not implemented for directed type\n3.0 ['a', 'b'] 3\n3 3\n"
        )
        self.assertEqual(run.stdout, said)
        self.assertEqual(run.paths, ["wards.edges.gz", "wards.graphml", "wards.png"])

    def test_it_maps_arguments_as_its_own_decorator_does(self) -> None:
        self.prints(
            """
import networkx as nx
print(nx.grid_2d_graph(2, 2).size(), nx.grid_2d_graph(m=2, n=["a"]).nodes, nx.complete_graph(n="ab").edges)
print(nx.community.modularity(nx.path_graph(3), communities=[{0}, {1, 2}]), nx.fast_gnp_random_graph(5, 0.5, 3).size())
for call in (lambda: nx.pagerank(), lambda: nx.community.modularity(nx.path_graph(3), [{0}]), lambda: nx.empty_graph(-1)):
    try:
        call()
    except (TypeError, nx.NetworkXError) as error:
        print(type(error).__name__)
""",
            "4 [(0, 'a'), (1, 'a')] [('a', 'b')]\n-0.125 7\nTypeError\nNotAPartition\nNetworkXError\n",
        )

    def test_what_is_refused(self) -> None:
        self.refused(
            "import networkx as nx\nnamed = 'glob' + 'als'",
            ("nx.read_edgelist(SECRET)", "PermissionError"),
            ("nx.read_edgelist(SECRET + '.gz')", "PermissionError"),
            ("nx.write_gml(nx.path_graph(2), SECRET)", "PermissionError"),
            ("nx.utils.open_file", "AttributeError"),
            ("nx.utils.argmap", "AttributeError"),
            ("nx.utils.decorators", "AttributeError"),
            ("nx.utils.backends", "AttributeError"),
            ("nx.lazy_imports", "AttributeError"),
            ("nx.nx_agraph", "AttributeError"),
            ("getattr(nx.pagerank, f'__{named}__')", "AttributeError"),
            ("getattr(nx.pagerank.orig_func, f'__{named}__')", "AttributeError"),
            ("nx.connected_components.__wrapped__", "AttributeError"),
            ("nx.algorithms.isomorphism.matchhelpers.copyfunc", "AttributeError"),
            ("nx.parse_edgelist(['1 2 {\"a\": __import__(\"os\")}'])", "TypeError"),
        )


class Pypdf(Case):
    def test_it_reads_and_writes(self) -> None:
        self.prints(
            """
import io
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject
writer = PdfWriter()
page = writer.add_blank_page(width=200, height=100)
writer.add_blank_page(width=50, height=50)
font = DictionaryObject({NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
                         NameObject("/BaseFont"): NameObject("/Helvetica")})
page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})})
text = DecodedStreamObject()
text.set_data(b"BT /F1 12 Tf 10 50 Td (Seven cases) Tj ET")
page[NameObject("/Contents")] = text
writer.add_metadata({"/Title": "Ward round"})
writer.write("round.pdf")
with open("again.pdf", "wb") as file:
    writer.write(file)
held = io.BytesIO(open("again.pdf", "rb").read())
for given in ("round.pdf", OUTPUT / "again.pdf", held):
    reader = PdfReader(given)
    print(len(reader.pages), reader.metadata.title, reader.pages[0].extract_text(), reader.pages[1].mediabox.width)
joined = PdfWriter()
for name in ("round.pdf", "again.pdf"):
    joined.append(name)
joined.add_page(PdfReader("round.pdf").pages[0].rotate(90))
joined.write("joined.pdf")
print(len(PdfReader("joined.pdf").pages), PdfReader("joined.pdf").pages[-1].rotation)
locked = PdfWriter(clone_from="round.pdf")
locked.encrypt("word", algorithm="RC4-128")
locked.write("locked.pdf")
print(PdfReader("locked.pdf").is_encrypted, PdfReader("locked.pdf", password="word").pages[0].extract_text())
""",
            "2 Ward round Seven cases 50.0\n" * 3 + "5 90\nTrue Seven cases\n",
        )

    def test_what_is_refused(self) -> None:
        self.refused(
            "import pypdf\nw = pypdf.PdfWriter()\nw.add_blank_page(9, 9)",
            ("pypdf.PdfReader(SECRET)", "PermissionError"),
            ("pypdf.PdfWriter(clone_from=SECRET)", "PermissionError"),
            ("w.append(SECRET)", "PermissionError"),
            ("w.write(SECRET)", "PermissionError"),
            ("w.encrypt('x', algorithm='__subclasses__')", "ValueError"),
            ("pypdf.filters", "AttributeError"),
        )


class Zones(Case):
    def test_older_names(self) -> None:
        self.prints(
            """
import pandas as pd
from zoneinfo import ZoneInfo
print(pd.Timestamp("2024-01-01", tz="US/Eastern").utcoffset(), ZoneInfo("US/Pacific"), pd.Timestamp("2024-07-01", tz="GB"))
""",
            "-1 day, 19:00:00 US/Pacific 2024-07-01 00:00:00+01:00\n",
        )
