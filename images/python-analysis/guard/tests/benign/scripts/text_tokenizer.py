import re
import string
import unicodedata
from collections import Counter

TOKEN = re.compile(r"""
    (?P<number>\d+(?:\.\d+)?)
  | (?P<word>[^\W\d_]+(?:-[^\W\d_]+)*)
  | (?P<punct>[%s])
""" % re.escape(string.punctuation), re.VERBOSE | re.UNICODE)

def tokens(text):
    for match in TOKEN.finditer(unicodedata.normalize("NFC", text)):
        yield match.lastgroup, match.group(), match.span()

kinds = Counter(kind for note in notes["note"] for kind, _, _ in tokens(note))
print(kinds)
words = [w.lower() for note in notes["note"] for k, w, _ in tokens(note) if k == "word"]
stop = {"the", "a", "and", "of", "with"}
print(Counter(w for w in words if w not in stop).most_common(5))
bigrams = Counter(zip(words, words[1:]))
print([" ".join(pair) for pair, _ in sorted(bigrams.items(), key=lambda kv: (-kv[1], kv[0]))[:3]])
def tfidf(docs):
    from math import log
    n = len(docs)
    df = Counter(w for doc in docs for w in set(doc))
    return [{w: c * log(n / df[w]) for w, c in Counter(doc).items()} for doc in docs]
print(sorted(tfidf([n.split() for n in notes["note"].head(4)])[0].items(), key=lambda kv: kv[1])[-1][1] > 0)
print(re.split(r"[;,]\s*", "a, b;c"), re.findall(r"(\w)(\d)", "a1 b2"), re.fullmatch(r"P\d{3}", "P001") is not None, re.escape("a.b"), re.compile("x", re.I).flags & re.I)
