import math
import re
from collections import Counter, defaultdict

TRAIN = [
    ("spam", "win money now claim your free prize"),
    ("spam", "free offer click now limited money"),
    ("spam", "cheap pills free shipping click"),
    ("ham", "meeting at noon about the project report"),
    ("ham", "can you send the report before the meeting"),
    ("ham", "lunch tomorrow with the project team"),
]


def tokenize(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


class NaiveBayes:
    def __init__(self, alpha: float = 1.0):
        self.alpha = alpha
        self.word_counts = defaultdict(Counter)
        self.class_counts = Counter()

    def fit(self, pairs):
        for label, text in pairs:
            self.class_counts[label] += 1
            self.word_counts[label].update(tokenize(text))
        self.vocabulary = set().union(*self.word_counts.values())
        return self

    def log_scores(self, text):
        total = sum(self.class_counts.values())
        scores = {}
        for label, count in self.class_counts.items():
            words = self.word_counts[label]
            denom = sum(words.values()) + self.alpha * len(self.vocabulary)
            scores[label] = math.log(count / total) + sum(
                math.log((words[w] + self.alpha) / denom) for w in tokenize(text) if w in self.vocabulary)
        return scores

    def predict(self, text):
        scores = self.log_scores(text)
        top = max(scores, key=scores.get)
        norm = sum(math.exp(s - scores[top]) for s in scores.values())
        return top, 1 / norm


model = NaiveBayes().fit(TRAIN)
for text in ("claim your free money", "project meeting tomorrow", "free lunch with the team"):
    label, p = model.predict(text)
    print(f"{text!r:<30} {label} ({p:.2f})")
ratio = {w: math.log((model.word_counts["spam"][w] + 1) / (model.word_counts["ham"][w] + 1)) for w in model.vocabulary}
print(sorted(ratio, key=lambda w: (-ratio[w], w))[:4], len(model.vocabulary))
