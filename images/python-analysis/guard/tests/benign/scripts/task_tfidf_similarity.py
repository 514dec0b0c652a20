import math
import string
from collections import Counter

docs = {
    "d1": "The cat sat on the mat. The cat was happy.",
    "d2": "A dog sat on the log, and the dog barked.",
    "d3": "Cats and dogs are common pets; a cat is quieter.",
}
STOP = set("the a an on and are is was".split())


def tokens(text):
    text = text.lower().translate(str.maketrans("", "", string.punctuation))
    return [w.rstrip("s") if len(w) > 3 else w for w in text.split() if w not in STOP]


tf = {d: Counter(tokens(t)) for d, t in docs.items()}
df = Counter(w for c in tf.values() for w in c)
idf = {w: math.log(len(docs) / n) + 1 for w, n in df.items()}
vectors = {d: {w: n / sum(c.values()) * idf[w] for w, n in c.items()} for d, c in tf.items()}


def cosine(a, b):
    dot = sum(a[w] * b[w] for w in a.keys() & b.keys())
    return dot / math.sqrt(sum(v * v for v in a.values()) * sum(v * v for v in b.values()))


for d, v in vectors.items():
    top = sorted(v.items(), key=lambda kv: (-kv[1], kv[0]))[:3]
    print(d, [(w, round(x, 3)) for w, x in top])
names = sorted(vectors)
print("     " + "  ".join(f"{n:>5}" for n in names))
for a in names:
    print(a, *(f"{cosine(vectors[a], vectors[b]):6.3f}" for b in names))
query = Counter(tokens("my cat and my dog"))
qv = {w: n * idf[w] for w, n in query.items() if w in idf}
print("best match:", max(names, key=lambda d: cosine(qv, vectors[d])))
