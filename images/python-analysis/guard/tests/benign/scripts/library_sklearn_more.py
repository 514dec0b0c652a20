import warnings
warnings.filterwarnings('ignore')
from io import StringIO
from time import time
import re, numpy as np, pandas as pd, matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt
from sklearn.datasets import load_iris, load_digits, load_wine, load_diabetes, load_linnerud, make_blobs, make_moons, make_circles, make_classification, make_regression, make_swiss_roll, make_s_curve, make_friedman1, make_low_rank_matrix, make_sparse_coded_signal, make_multilabel_classification, make_gaussian_quantiles, make_biclusters, make_checkerboard, load_sample_image, load_svmlight_file, dump_svmlight_file, load_files, make_hastie_10_2, make_sparse_spd_matrix
from sklearn.cluster import KMeans, MiniBatchKMeans, DBSCAN, HDBSCAN, OPTICS, AgglomerativeClustering, SpectralClustering, MeanShift, estimate_bandwidth, AffinityPropagation, Birch, BisectingKMeans, FeatureAgglomeration, SpectralCoclustering, ward_tree, cluster_optics_dbscan
from sklearn.decomposition import PCA, KernelPCA, NMF, FastICA, TruncatedSVD, LatentDirichletAllocation, FactorAnalysis, SparsePCA, DictionaryLearning, IncrementalPCA, MiniBatchNMF, non_negative_factorization
from sklearn.manifold import TSNE, Isomap, MDS, LocallyLinearEmbedding, SpectralEmbedding, trustworthiness
from sklearn.mixture import GaussianMixture, BayesianGaussianMixture
from sklearn.linear_model import LinearRegression, Ridge, Lasso, ElasticNet, LassoCV, RidgeCV, ElasticNetCV, BayesianRidge, ARDRegression, HuberRegressor, RANSACRegressor, TheilSenRegressor, QuantileRegressor, PoissonRegressor, TweedieRegressor, GammaRegressor, Lars, LassoLars, OrthogonalMatchingPursuit, SGDRegressor, lasso_path, enet_path, LogisticRegressionCV, LassoLarsIC, MultiTaskLasso
from sklearn.svm import SVR, OneClassSVM, l1_min_c
from sklearn.tree import DecisionTreeRegressor, plot_tree, export_graphviz, export_text
from sklearn.ensemble import RandomForestRegressor, GradientBoostingRegressor, HistGradientBoostingRegressor, IsolationForest, StackingRegressor, VotingRegressor, RandomTreesEmbedding, AdaBoostRegressor
from sklearn.neighbors import KNeighborsRegressor, LocalOutlierFactor, KernelDensity, NearestNeighbors, NeighborhoodComponentsAnalysis, BallTree, KDTree, kneighbors_graph, RadiusNeighborsRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel, ConstantKernel as C, Matern, DotProduct, ExpSineSquared, RationalQuadratic, Kernel, Sum, Product
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer, TfidfTransformer, HashingVectorizer, ENGLISH_STOP_WORDS, strip_accents_unicode
from sklearn.feature_extraction import DictVectorizer, FeatureHasher, image
from sklearn.feature_selection import SelectKBest, f_classif, chi2, mutual_info_classif, RFE, RFECV, SelectFromModel, SequentialFeatureSelector, VarianceThreshold, f_regression, mutual_info_regression, SelectPercentile, SelectFdr, GenericUnivariateSelect, SelectorMixin
from sklearn.preprocessing import StandardScaler, MinMaxScaler, RobustScaler, PowerTransformer, QuantileTransformer, PolynomialFeatures, SplineTransformer, KBinsDiscretizer, FunctionTransformer, LabelEncoder, LabelBinarizer, OneHotEncoder, OrdinalEncoder, TargetEncoder, Binarizer, Normalizer, MaxAbsScaler, MultiLabelBinarizer, scale, normalize, label_binarize
from sklearn.pipeline import Pipeline, make_pipeline, FeatureUnion, make_union
from sklearn.compose import TransformedTargetRegressor, ColumnTransformer
from sklearn.cross_decomposition import PLSRegression, CCA
from sklearn.covariance import EllipticEnvelope, LedoitWolf, GraphicalLassoCV, MinCovDet, empirical_covariance, OAS, ShrunkCovariance
from sklearn.kernel_ridge import KernelRidge
from sklearn.isotonic import IsotonicRegression
from sklearn.multioutput import MultiOutputRegressor, ClassifierChain, RegressorChain
from sklearn.neural_network import MLPRegressor, BernoulliRBM
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.random_projection import GaussianRandomProjection, johnson_lindenstrauss_min_dim
from sklearn.metrics import RocCurveDisplay, ConfusionMatrixDisplay, PrecisionRecallDisplay, DetCurveDisplay, PredictionErrorDisplay, silhouette_score, silhouette_samples, adjusted_rand_score, calinski_harabasz_score, v_measure_score, mean_squared_error, r2_score, mean_absolute_percentage_error, mean_pinball_loss, d2_tweedie_score, pairwise_distances, make_scorer, auc, root_mean_squared_error, homogeneity_completeness_v_measure, consensus_score
from sklearn.metrics.pairwise import rbf_kernel, cosine_similarity, pairwise_kernels, pairwise_distances_argmin, euclidean_distances
from sklearn.inspection import PartialDependenceDisplay, DecisionBoundaryDisplay, permutation_importance
from sklearn.calibration import CalibrationDisplay
from sklearn.model_selection import LearningCurveDisplay, ValidationCurveDisplay, cross_val_score, GridSearchCV, train_test_split
from sklearn.linear_model import LogisticRegression
from sklearn.base import BaseEstimator, TransformerMixin

class TopK(SelectorMixin, BaseEstimator):

    def __init__(self, k=2):
        self.k = k

    def fit(self, X, y=None):
        self.s_ = np.var(np.asarray(X), axis=0)
        self.n_features_in_ = len(self.s_)
        return self

    def _get_support_mask(self):
        m = np.zeros(len(self.s_), bool)
        m[np.argsort(self.s_)[-self.k:]] = True
        return m

class TextStats(BaseEstimator, TransformerMixin):

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return [{'length': len(t), 'digits': sum((ch.isdigit() for ch in t))} for t in X]

class StemVec(CountVectorizer):

    def build_analyzer(self):
        a = super().build_analyzer()
        return lambda doc: (w.rstrip('s') for w in a(doc))

    def build_tokenizer(self):
        rx = re.compile('[a-z]{3,}')
        return lambda d: rx.findall(d)

class Log(FunctionTransformer):
    pass

def main():
    X, y = load_iris(return_X_y=True)
    d = load_diabetes(as_frame=True)
    Xd, yd = (d.data, d.target)
    print(d.frame.shape, load_wine().target_names, load_digits(n_class=3).images.shape, load_linnerud().feature_names, d.DESCR[:40].strip())
    for c in (KMeans(3, n_init=3, random_state=0), MiniBatchKMeans(3, random_state=0, n_init=3), DBSCAN(0.6), HDBSCAN(), OPTICS(min_samples=10), AgglomerativeClustering(3), SpectralClustering(3, random_state=0), MeanShift(bandwidth=1), AffinityPropagation(random_state=0), Birch(n_clusters=3), BisectingKMeans(3, random_state=0)):
        l = c.fit_predict(X)
        print(type(c).__name__, len(set(l)), round(adjusted_rand_score(y, l), 2), round(silhouette_score(X, l), 2) if len(set(l)) > 1 else '')
    for m in (PCA(2), PCA(0.9), KernelPCA(2, kernel='rbf'), NMF(2, random_state=0), FastICA(2, random_state=0), TruncatedSVD(2, random_state=0), FactorAnalysis(2), SparsePCA(2, random_state=0, max_iter=5), IncrementalPCA(2), Isomap(n_components=2), LocallyLinearEmbedding(n_components=2, random_state=0), SpectralEmbedding(2, random_state=0), MDS(2, random_state=0, max_iter=10, n_init=1), TSNE(2, random_state=0, n_iter=250, init='pca'), GaussianRandomProjection(2, random_state=0), Nystroem(n_components=5, random_state=0), BernoulliRBM(2, n_iter=2, random_state=0), RandomTreesEmbedding(3, random_state=0)):
        print(type(m).__name__, m.fit_transform(np.abs(X)).shape)
    gm = GaussianMixture(3, random_state=0).fit(X)
    print(gm.bic(X).round(1), gm.weights_.round(2), BayesianGaussianMixture(n_components=4, random_state=0, max_iter=20).fit(X).weights_.round(1))
    reg = [LinearRegression(), Ridge(), Lasso(0.1), ElasticNet(0.1), LassoCV(cv=3), RidgeCV(), BayesianRidge(), ARDRegression(), HuberRegressor(max_iter=500), RANSACRegressor(random_state=0), TheilSenRegressor(random_state=0, max_subpopulation=100), QuantileRegressor(quantile=0.5, alpha=0.01), PoissonRegressor(), TweedieRegressor(power=1.5), GammaRegressor(), Lars(), OrthogonalMatchingPursuit(), SVR(), DecisionTreeRegressor(max_depth=3, random_state=0), RandomForestRegressor(10, random_state=0), GradientBoostingRegressor(n_estimators=10, random_state=0, loss='quantile', alpha=0.9), HistGradientBoostingRegressor(max_iter=10), KNeighborsRegressor(), GaussianProcessRegressor(C(1.0) * RBF(1.0) + WhiteKernel(), normalize_y=True, optimizer=None), KernelRidge(), PLSRegression(2), MLPRegressor((4,), max_iter=30, random_state=0), TransformedTargetRegressor(LinearRegression(), func=np.log, inverse_func=np.exp), StackingRegressor([('l', Ridge()), ('k', KNeighborsRegressor())], cv=2), make_pipeline(PolynomialFeatures(2, interaction_only=True), Ridge()), make_pipeline(SplineTransformer(n_knots=4), Ridge()), LassoLarsIC('bic')]
    for m in reg:
        m.fit(Xd, yd)
        print(type(m).__name__, round(r2_score(yd, m.predict(Xd)), 3))
    print(lasso_path(Xd, yd, n_alphas=3)[1].shape, IsotonicRegression().fit_transform([1, 2, 3], [1, 3, 2]), MultiOutputRegressor(Ridge()).fit(Xd, np.c_[yd, yd]).predict(Xd)[0].round(1))
    k = 1.0 * RBF([1.0, 1.0]) + Matern(nu=1.5) * ExpSineSquared()
    print(k, k.theta.round(2), k.hyperparameters[0].name)
    g = GaussianProcessRegressor(kernel=1.0 * RBF(1.0, (0.1, 10)), alpha=0.1, random_state=0).fit(Xd[:40,] if False else Xd.values[:40, :2], yd[:40])
    print(g.kernel_, g.predict(Xd.values[:1, :2], return_std=True)[1].round(1), g.log_marginal_likelihood_value_.round(1))
    docs = notes['note'].tolist()[:40] if 'notes' in globals() else ['aspirin 100 mg daily', 'metformin twice'] * 10
    cv = CountVectorizer(ngram_range=(1, 2), stop_words='english', min_df=2, token_pattern='(?u)\\b[a-z]\\w+\\b')
    M = cv.fit_transform(docs)
    print(M.shape, sorted(cv.vocabulary_)[:4], cv.get_feature_names_out()[:3])
    tf = TfidfVectorizer(tokenizer=str.split, token_pattern=None, preprocessor=str.lower, sublinear_tf=True).fit(docs)
    print(tf.idf_[:2].round(2), len(tf.vocabulary_))
    print(StemVec().fit(docs).get_feature_names_out()[:4])
    print(HashingVectorizer(n_features=16).transform(docs).shape, DictVectorizer(sparse=False).fit_transform([{'a': 1, 'b': 'x'}]), FeatureHasher(4, input_type='string').transform([['a']]).toarray(), len(ENGLISH_STOP_WORDS))
    fu = FeatureUnion([('tfidf', TfidfVectorizer()), ('stats', Pipeline([('s', TextStats()), ('v', DictVectorizer())]))])
    print(fu.fit_transform(docs).shape)
    lda = LatentDirichletAllocation(2, random_state=0, max_iter=3).fit(M)
    for i, topic in enumerate(lda.components_):
        print('Topic', i, ' '.join((cv.get_feature_names_out()[j] for j in topic.argsort()[:-4:-1])))
    for s in (SelectKBest(f_classif, k=2), SelectKBest(mutual_info_classif if False else chi2, k=2), RFE(LogisticRegression(max_iter=200), n_features_to_select=2), SelectFromModel(RandomForestRegressor(5, random_state=0)), SequentialFeatureSelector(LinearRegression(), n_features_to_select=2, cv=2), VarianceThreshold(0.3), TopK(2), RFECV(LogisticRegression(max_iter=200), cv=2), SelectKBest(lambda a, b: np.abs([np.corrcoef(a[:, j], b)[0, 1] for j in range(a.shape[1])]), k=1)):
        print(type(s).__name__, s.fit(np.abs(X), y).get_support())
    for t in (MinMaxScaler(), RobustScaler(), PowerTransformer(), QuantileTransformer(n_quantiles=20), KBinsDiscretizer(3, encode='ordinal'), FunctionTransformer(np.log1p, validate=True), FunctionTransformer(lambda a, p: a ** p, kw_args={'p': 2}), Normalizer(), Binarizer(threshold=2), MaxAbsScaler(), Log(np.sqrt)):
        print(type(t).__name__, np.asarray(t.fit_transform(X))[0].round(2))
    print(LabelEncoder().fit_transform(list('bca')), LabelBinarizer().fit_transform(list('abc'))[0], MultiLabelBinarizer().fit_transform([('a', 'b'), ('c',)]), TargetEncoder(random_state=0).fit_transform(np.array(list('ab') * 20).reshape(-1, 1), np.tile([0.0, 1], 20))[:2].round(1), EllipticEnvelope(random_state=0).fit(X).predict(X)[:3], IsolationForest(random_state=0, n_estimators=10).fit(X).decision_function(X)[:2].round(2), LocalOutlierFactor().fit_predict(X)[:3], OneClassSVM().fit(X).predict(X)[:3], KernelDensity(bandwidth=0.5).fit(X).score_samples(X)[:2].round(2), NearestNeighbors(n_neighbors=2).fit(X).kneighbors(X[:1])[1], BallTree(X, metric='haversine').__class__.__name__ if False else BallTree(X).query(X[:1], k=2)[1], LedoitWolf().fit(X).shrinkage_.round(3), CCA(1).fit(X[:, :2], X[:, 2:]).x_weights_.shape)
    clf = LogisticRegression(max_iter=300).fit(X[:, :2], y == 1)
    fig, ax = plt.subplots(2, 3, figsize=(12, 8))
    RocCurveDisplay.from_estimator(clf, X[:, :2], y == 1, ax=ax[0, 0], name='LR', plot_chance_level=True)
    ConfusionMatrixDisplay.from_predictions(y == 1, clf.predict(X[:, :2]), ax=ax[0, 1], cmap='Blues', colorbar=False)
    PrecisionRecallDisplay.from_estimator(clf, X[:, :2], y == 1, ax=ax[0, 2])
    DecisionBoundaryDisplay.from_estimator(clf, X[:, :2], ax=ax[1, 0], response_method='predict', alpha=0.4)
    CalibrationDisplay.from_estimator(clf, X[:, :2], y == 1, n_bins=4, ax=ax[1, 1])
    PartialDependenceDisplay.from_estimator(RandomForestRegressor(5, random_state=0).fit(Xd, yd), Xd, ['bmi'], ax=ax[1, 2], kind='both')
    fig.tight_layout()
    fig.savefig('displays.png')
    LearningCurveDisplay.from_estimator(clf, X, y, cv=2, train_sizes=[0.5, 1.0])
    PredictionErrorDisplay.from_predictions(yd, reg[0].predict(Xd), kind='residual_vs_predicted')
    plot_tree(DecisionTreeRegressor(max_depth=2).fit(Xd, yd), filled=True, feature_names=list(Xd))
    plt.close('all')
    print(export_graphviz(DecisionTreeRegressor(max_depth=1, random_state=0).fit(Xd, yd), out_file=None)[:30])
    dump_svmlight_file(X, y, 'iris.svm')
    print(load_svmlight_file('iris.svm')[0].shape)
    for mk in (make_blobs, make_moons, make_circles, make_classification, make_regression, make_swiss_roll, make_s_curve, make_friedman1, make_gaussian_quantiles):
        o = mk(n_samples=20, random_state=0)
        print(mk.__name__, o[0].shape)
    print(image.extract_patches_2d(np.arange(16.0).reshape(4, 4), (2, 2)).shape, kneighbors_graph(X, 2).nnz, cosine_similarity(X[:2]).round(3), rbf_kernel(X[:2]).round(3), johnson_lindenstrauss_min_dim(100, eps=0.5), SpectralCoclustering(2, random_state=0).fit(np.abs(X)).row_labels_[:3])
if __name__ == '__main__':
    main()
