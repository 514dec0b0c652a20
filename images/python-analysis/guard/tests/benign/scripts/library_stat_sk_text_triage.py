# # Triage notes: words as features
import re
import numpy as np
import pandas as pd
from collections import Counter
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer, HashingVectorizer, TfidfTransformer, ENGLISH_STOP_WORDS
from sklearn.feature_extraction import DictVectorizer, FeatureHasher
from sklearn.naive_bayes import MultinomialNB, ComplementNB, BernoulliNB
from sklearn.linear_model import LogisticRegression, SGDClassifier, PassiveAggressiveClassifier
from sklearn.svm import LinearSVC
from sklearn.pipeline import make_pipeline, make_union
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import TruncatedSVD, LatentDirichletAllocation, NMF
from sklearn.feature_selection import chi2, SelectKBest, mutual_info_classif
from sklearn.model_selection import cross_val_score, StratifiedKFold
from sklearn.preprocessing import MultiLabelBinarizer, LabelEncoder, label_binarize, MaxAbsScaler
from sklearn.metrics.pairwise import cosine_similarity, linear_kernel
from sklearn.metrics import confusion_matrix

rng = np.random.default_rng(90210)
parts = {
    "chest": ["chest pain", "short of breath", "palpitations", "pain in left arm", "sweating", "ECG done"],
    "limb": ["fell on wrist", "swollen ankle", "laceration of hand", "cannot walk", "x-ray ordered", "bruised knee"],
    "abdo": ["vomiting", "abdominal pain", "no appetite", "diarrhoea since monday", "tender belly", "nausea"],
}
rows = []
for _ in range(240):
    k = rng.choice(list(parts))
    txt = ", ".join(rng.permutation(parts[k])[: rng.integers(2, 4)].tolist() + rng.choice(["stable", "pain 5/10", "seen 10:30", "BP 130/85"], 1).tolist())
    rows.append((txt, k, int(rng.integers(18, 90))))
notes = pd.DataFrame(rows, columns=["text", "unit", "age"])

def tidy(s):
    return re.sub(r"\d+(?:[/:]\d+)?", "NUM", s.lower())

class Stemmer:
    suffix = re.compile(r"(ing|ed|s)$")
    def __call__(self, doc):
        return [self.suffix.sub("", w) for w in re.findall(r"[a-z]{3,}", doc) if w not in ENGLISH_STOP_WORDS]

vec = TfidfVectorizer(preprocessor=tidy, ngram_range=(1, 2), min_df=3, sublinear_tf=True, token_pattern=r"(?u)\b\w\w+\b")
M = vec.fit_transform(notes.text)
print(M.shape, vec.get_feature_names_out()[:6], vec.vocabulary_["chest pain"] >= 0, vec.idf_.round(2)[:3])
print(CountVectorizer(tokenizer=Stemmer(), token_pattern=None).fit(notes.text).get_feature_names_out()[:8])
print(pd.DataFrame(CountVectorizer(max_features=5).fit_transform(notes.text).toarray()).sum().tolist())
cv = StratifiedKFold(4, shuffle=True, random_state=0)
for clf in (MultinomialNB(), ComplementNB(), BernoulliNB(), LogisticRegression(max_iter=300), LinearSVC(dual="auto"), SGDClassifier(random_state=0)):
    print(type(clf).__name__, cross_val_score(make_pipeline(TfidfVectorizer(preprocessor=tidy), clf), notes.text, notes.unit, cv=cv).mean().round(3))
pipe = make_pipeline(ColumnTransformer([("txt", TfidfVectorizer(), "text"), ("age", MaxAbsScaler(), ["age"])]), LogisticRegression(max_iter=500)).fit(notes, notes.unit)
coef = pd.DataFrame(pipe[-1].coef_, index=pipe.classes_, columns=pipe[0].get_feature_names_out()).T
for c in coef:
    print(c, coef[c].nlargest(4).index.str.removeprefix("txt__").tolist())
sel = SelectKBest(chi2, k=8).fit(M, notes.unit)
print(vec.get_feature_names_out()[sel.get_support()])
lsa = make_pipeline(vec, TruncatedSVD(3, random_state=0)).fit(notes.text)
print(lsa[-1].explained_variance_ratio_.round(2).shape)
lda = LatentDirichletAllocation(3, random_state=0, max_iter=5).fit(CountVectorizer(stop_words="english").fit_transform(notes.text))
print(lda.components_.shape, round(lda.perplexity(CountVectorizer(stop_words="english").fit_transform(notes.text)), -2) > 0)
S = cosine_similarity(M[0], M).ravel()
print(notes.iloc[np.argsort(-S)[:3]][["unit"]].value_counts().to_dict())
print(HashingVectorizer(n_features=64).transform(notes.text).shape, DictVectorizer(sparse=False).fit_transform([{"a": 1, "u": "x"}, {"u": "y"}]), FeatureHasher(4, input_type="string").transform([["a", "b"]]).toarray())
ml = MultiLabelBinarizer().fit(notes.text.str.split(", ").head(30))
print(len(ml.classes_), LabelEncoder().fit_transform(notes.unit)[:5], label_binarize(["abdo", "limb"], classes=["abdo", "chest", "limb"]))
print(Counter(w for t in notes.text for w in tidy(t).split()).most_common(3))
print(confusion_matrix(notes.unit, pipe.predict(notes), normalize="true").round(2))
