import warnings
warnings.filterwarnings('ignore')
import numpy as np, pandas as pd, sklearn
from sklearn import datasets, metrics, model_selection, preprocessing, linear_model, ensemble, tree, svm, neighbors, naive_bayes, cluster, decomposition, manifold, mixture, neural_network, gaussian_process, discriminant_analysis, feature_selection, pipeline, compose, impute, calibration, inspection, multiclass, multioutput, isotonic, kernel_ridge, covariance, dummy, random_projection, semi_supervised, cross_decomposition, kernel_approximation, feature_extraction
from sklearn.base import BaseEstimator, TransformerMixin, ClassifierMixin, RegressorMixin, ClusterMixin, clone, is_classifier, OneToOneFeatureMixin, MetaEstimatorMixin
from sklearn.utils import resample, shuffle, check_random_state, Bunch, gen_batches, check_array
from sklearn.utils.validation import check_X_y, check_is_fitted
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.metaestimators import available_if
from sklearn.exceptions import NotFittedError, ConvergenceWarning, UndefinedMetricWarning
from sklearn.experimental import enable_iterative_imputer, enable_halving_search_cv
from sklearn.impute import IterativeImputer, SimpleImputer, KNNImputer, MissingIndicator
from sklearn.model_selection import train_test_split, cross_val_score, cross_validate, cross_val_predict, GridSearchCV, RandomizedSearchCV, HalvingGridSearchCV, StratifiedKFold, KFold, GroupKFold, TimeSeriesSplit, LeaveOneOut, RepeatedStratifiedKFold, ShuffleSplit, learning_curve, validation_curve, permutation_test_score, ParameterGrid, StratifiedGroupKFold, BaseCrossValidator

class LikeLastVisit(ClassifierMixin, BaseEstimator):

    def __init__(self, power=2):
        self.power = power

    def fit(self, X, y):
        X, y = check_X_y(X, y)
        self.classes_, self.n_features_in_ = (unique_labels(y), X.shape[1])
        self.visits_, self.labels_ = (X, y)
        return self

    def predict(self, X):
        check_is_fitted(self)
        away = (np.abs(check_array(X)[:, None, :] - self.visits_[None]) ** self.power).sum(2)
        return self.labels_[away.argmin(1)]

    def __sklearn_is_fitted__(self):
        return hasattr(self, 'visits_')

class Log1p(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):

    def __init__(self, offset=1.0, cols=None):
        self.offset, self.cols = (offset, cols)

    def fit(self, X, y=None):
        X = self._validate_data(X)
        self.min_ = X.min(0)
        return self

    def transform(self, X):
        check_is_fitted(self, 'min_')
        X = self._validate_data(X, reset=False)
        return np.log(X - self.min_ + self.offset)

    def inverse_transform(self, X):
        return np.exp(X) + self.min_ - self.offset

    def _more_tags(self):
        return {'stateless': False}

class Winsor(BaseEstimator, TransformerMixin):

    def __init__(self, lo=0.05, hi=0.95):
        self.lo, self.hi = (lo, hi)

    def fit(self, X, y=None):
        self.q_ = np.nanquantile(np.asarray(X, float), [self.lo, self.hi], axis=0)
        self.feature_names_in_ = np.asarray(getattr(X, 'columns', []), dtype=object)
        return self

    def transform(self, X):
        return np.clip(X, *self.q_) if not hasattr(X, 'columns') else X.clip(pd.Series(self.q_[0], X.columns), pd.Series(self.q_[1], X.columns), axis=1)

    def get_feature_names_out(self, input_features=None):
        return np.asarray(input_features if input_features is not None else self.feature_names_in_, dtype=object)

    def __repr__(self):
        return f'Winsor({self.lo}, {self.hi})'

class MeanReg(RegressorMixin, BaseEstimator):

    def fit(self, X, y):
        self.mean_ = np.mean(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)

class NamedGroups(BaseEstimator):

    def __init__(self, grouping, naming):
        self.grouping, self.naming = (grouping, naming)

    def fit(self, X, y=None):
        groups = clone(self.grouping).fit_predict(X)
        self.naming_ = clone(self.naming).fit(X, groups)
        self.sizes_ = np.bincount(groups)
        return self

    @available_if(lambda self: hasattr(self.naming, 'predict'))
    def predict(self, X):
        check_is_fitted(self)
        return self.naming_.predict(X)

class Blocked(BaseCrossValidator):

    def __init__(self, k=3):
        self.k = k

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.k

    def _iter_test_indices(self, X=None, y=None, groups=None):
        yield from np.array_split(np.arange(len(X)), self.k)

class Roughness(gaussian_process.kernels.StationaryKernelMixin, gaussian_process.kernels.NormalizedKernelMixin, gaussian_process.kernels.Kernel):

    def __init__(self, length=1.0, length_bounds=(0.01, 100.0)):
        self.length, self.length_bounds = (length, length_bounds)

    @property
    def hyperparameter_length(self):
        return gaussian_process.kernels.Hyperparameter('length', 'numeric', self.length_bounds)

    def __call__(self, X, Y=None, eval_gradient=False):
        X = np.atleast_2d(X)
        d = metrics.pairwise_distances(X, X if Y is None else Y)
        K = np.exp(-d / self.length)
        return (K, (K * d / self.length)[:, :, None]) if eval_gradient else K

def own_kernel(X, Y):
    return X @ Y.T + 1

def cost(y, p, fn=5):
    tn, fp, f, tp = metrics.confusion_matrix(y, p).ravel()
    return -(fp + fn * f)

def main():
    X, y = datasets.load_breast_cancer(return_X_y=True, as_frame=True)
    X = X.iloc[:240, :8]
    y = y.iloc[:240]
    Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)
    models = [linear_model.LogisticRegression(max_iter=500), linear_model.RidgeClassifier(), linear_model.SGDClassifier(random_state=0), linear_model.Perceptron(), linear_model.PassiveAggressiveClassifier(random_state=0), svm.SVC(probability=True, random_state=0), svm.LinearSVC(), svm.NuSVC(), svm.SVC(kernel=own_kernel), neighbors.KNeighborsClassifier(), neighbors.KNeighborsClassifier(metric=lambda a, b: np.abs(a - b).sum(), algorithm='brute'), neighbors.NearestCentroid(), naive_bayes.GaussianNB(), naive_bayes.BernoulliNB(), tree.DecisionTreeClassifier(max_depth=3, random_state=0), ensemble.RandomForestClassifier(20, random_state=0), ensemble.ExtraTreesClassifier(10, random_state=0), ensemble.GradientBoostingClassifier(n_estimators=10, random_state=0), ensemble.HistGradientBoostingClassifier(max_iter=10), ensemble.AdaBoostClassifier(n_estimators=5, random_state=0), ensemble.BaggingClassifier(n_estimators=5, random_state=0), discriminant_analysis.LinearDiscriminantAnalysis(), discriminant_analysis.QuadraticDiscriminantAnalysis(), neural_network.MLPClassifier((5,), max_iter=50, random_state=0), gaussian_process.GaussianProcessClassifier(Roughness(), max_iter_predict=10, optimizer=None), dummy.DummyClassifier(), LikeLastVisit(), ensemble.VotingClassifier([('a', linear_model.LogisticRegression(max_iter=200)), ('b', naive_bayes.GaussianNB())], voting='soft'), ensemble.StackingClassifier([('a', naive_bayes.GaussianNB()), ('t', LikeLastVisit())], cv=2), multiclass.OneVsRestClassifier(linear_model.LogisticRegression(max_iter=200)), calibration.CalibratedClassifierCV(naive_bayes.GaussianNB(), cv=2, method='isotonic'), semi_supervised.LabelPropagation()]
    for m in models:
        p = pipeline.make_pipeline(preprocessing.StandardScaler(), m).fit(Xtr, ytr)
        print(f'{type(m).__name__:<32}{p.score(Xte, yte):.3f}', is_classifier(m))
    print(models[0], models[-4])
    print(clone(LikeLastVisit(power=3)).get_params(), LikeLastVisit().set_params(power=4))
    num, cat = (['age', 'bmi'], ['sex', 'smoker'])
    df = patients.copy()
    tgt = (df['arm'] == 'active').astype(int)
    ct = compose.ColumnTransformer([('num', pipeline.Pipeline([('imp', SimpleImputer(strategy='median', add_indicator=True)), ('w', Winsor()), ('sc', preprocessing.StandardScaler())]), num), ('cat', pipeline.make_pipeline(SimpleImputer(strategy='most_frequent'), preprocessing.OneHotEncoder(handle_unknown='ignore')), cat)], remainder='drop', verbose_feature_names_out=True)
    pl = pipeline.Pipeline([('pre', ct), ('lr', linear_model.LogisticRegression())])
    pl.fit(df[num + cat], tgt)
    print(pl[0].transform(df[num + cat]).shape, pl.named_steps['lr'].coef_.round(2), pl['lr'].intercept_.round(2))
    print(pl)
    print(ct.get_params()['num__w__lo'], ct.named_transformers_['cat'][-1].categories_)
    print(compose.make_column_transformer((preprocessing.OrdinalEncoder(), compose.make_column_selector(dtype_include=object)), ('passthrough', ['age'])).fit_transform(df[['sex', 'age']])[:2])
    ct2 = compose.ColumnTransformer([('n', SimpleImputer(), num)]).set_output(transform='pandas')
    print(ct2.fit_transform(df[num]).head(2))
    print(IterativeImputer(random_state=0, max_iter=3).fit_transform(df[num])[:2].round(1), KNNImputer().fit_transform(df[num])[:1])
    g = GridSearchCV(pl, {'lr__C': [0.1, 1], 'pre__num__w__lo': [0, 0.1]}, cv=3, scoring={'auc': 'roc_auc', 'cost': metrics.make_scorer(cost, fn=3)}, refit='auc')
    g.fit(df[num + cat], tgt)
    print(g.best_params_, pd.DataFrame(g.cv_results_)[['param_lr__C', 'mean_test_auc', 'rank_test_cost']].round(3).to_string())
    rs = RandomizedSearchCV(tree.DecisionTreeClassifier(random_state=0), {'max_depth': [1, 2, 3], 'min_samples_leaf': [1, 5]}, n_iter=3, random_state=1, n_jobs=1).fit(X, y)
    print(rs.best_estimator_, HalvingGridSearchCV(tree.DecisionTreeClassifier(random_state=0), {'max_depth': [1, 3]}, random_state=0).fit(X, y).best_params_)
    print(cross_val_score(models[0], X, y, cv=Blocked(3)).round(3), cross_validate(Log1p() if False else pipeline.make_pipeline(Log1p(), linear_model.LogisticRegression(max_iter=300)), X, y, cv=3, return_train_score=True, scoring=('accuracy', 'f1'))['test_f1'].round(3), cross_val_predict(models[12], X, y, cv=3, method='predict_proba')[0].round(3), learning_curve(models[12], X, y, train_sizes=[0.5, 1.0], cv=3)[1].round(2), validation_curve(tree.DecisionTreeClassifier(random_state=0), X, y, param_name='max_depth', param_range=[1, 2], cv=3)[1].mean(1).round(2), permutation_test_score(models[12], X, y, n_permutations=5, random_state=0)[2].round(2))
    for cv in (KFold(3, shuffle=True, random_state=1), StratifiedKFold(3), GroupKFold(3), TimeSeriesSplit(3, gap=2), RepeatedStratifiedKFold(n_splits=2, n_repeats=2, random_state=0), StratifiedGroupKFold(3), ShuffleSplit(2, random_state=0)):
        print(cv, [len(b) for a, b in cv.split(X, y, groups=np.arange(len(X)) % 9)])
    pr = models[0].fit(Xtr, ytr).predict_proba(Xte)[:, 1]
    yh = pr > 0.5
    print(metrics.classification_report(yte, yh))
    print(pd.DataFrame(metrics.classification_report(yte, yh, output_dict=True)).T.round(2))
    print(tree.export_text(tree.DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y), feature_names=list(X.columns)))
    print(inspection.permutation_importance(models[0], Xte, yte, n_repeats=3, random_state=0).importances_mean.round(3), inspection.partial_dependence(models[0], X, [0])['average'].shape, calibration.calibration_curve(yte, pr, n_bins=3)[0].round(2))
    try:
        LikeLastVisit().predict(X)
    except NotFittedError as e:
        print('NotFitted', str(e)[:50])
    ic = NamedGroups(cluster.KMeans(2, n_init=2, random_state=0), ensemble.RandomForestClassifier(5, random_state=0)).fit(X)
    print(np.bincount(ic.predict(X)))
    print(sklearn.__version__[:1], sklearn.get_config()['assume_finite'])
    with sklearn.config_context(display='text', transform_output='pandas'):
        print(preprocessing.StandardScaler().fit_transform(X.head(2)).round(1))
        print(ct)
    print(MeanReg().fit(X, y).score(X, y), ct.get_feature_names_out() if hasattr(ct, 'transformers_') else '')
if __name__ == '__main__':
    main()
