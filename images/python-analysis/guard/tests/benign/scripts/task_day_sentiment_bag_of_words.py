import math
import re
from collections import Counter, defaultdict
import random

POSITIVE = ["great staff and clean rooms", "quick and friendly service", "clean, quiet, great food", "lovely view and friendly people"]
NEGATIVE = ["dirty rooms and rude staff", "slow service and cold food", "noisy, dirty and expensive", "rude people, cold rooms"]
STOP = set("and the a of".split())


def tokenize(text):
    return [w for w in re.findall(r"\w+", text.lower()) if w not in STOP]


class NaiveBayes:
    def __init__(self, alpha=1.0):
        self.alpha = alpha
        self.counts = defaultdict(Counter)
        self.docs = Counter()
        self.vocab = set()

    def fit(self, texts, labels):
        for text, label in zip(texts, labels, strict=True):
            words = tokenize(text)
            self.counts[label].update(words)
            self.docs[label] += 1
            self.vocab.update(words)
        return self

    def log_scores(self, text):
        n = sum(self.docs.values())
        for label in sorted(self.docs):
            total = sum(self.counts[label].values()) + self.alpha * len(self.vocab)
            score = math.log(self.docs[label] / n)
            score += sum(math.log((self.counts[label][w] + self.alpha) / total) for w in tokenize(text) if w in self.vocab)
            yield label, score

    def predict(self, text):
        return max(self.log_scores(text), key=lambda p: p[1])[0]

    def proba(self, text):
        scores = dict(self.log_scores(text))
        top = max(scores.values())
        exps = {k: math.exp(v - top) for k, v in scores.items()}
        return {k: v / sum(exps.values()) for k, v in exps.items()}


data = [(t, "pos") for t in POSITIVE] + [(t, "neg") for t in NEGATIVE]
random.Random(1).shuffle(data)
texts, labels = zip(*data)
nb = NaiveBayes().fit(texts, labels)
for text in ["great food", "rude and slow", "clean but noisy rooms", "unknown words"]:
    probs = {k: f"{v:.2f}" for k, v in nb.proba(text).items()}
    print(f"{text!r:<26} {nb.predict(text)} {probs}")
hits = sum(nb.predict(t) == y for t, y in data)
print(f"training accuracy: {hits}/{len(data)}; vocabulary {len(nb.vocab)}")
informative = sorted(nb.vocab, key=lambda w: (-abs(nb.counts["pos"][w] - nb.counts["neg"][w]), w))[:4]
print(informative)
try:
    nb.fit(["a"], [])
except ValueError as e:
    print("ValueError:", str(e)[:20])
