import random
from collections import defaultdict

import numpy as np

corpus = "the cat sat on the mat and the dog sat on the log and the cat saw the dog and the dog saw the cat"
words = corpus.split()
chain = defaultdict(list)
for a, b in zip(words, words[1:]):
    chain[a].append(b)

random.seed(10)
word = "the"
sentence = [word]
for _ in range(12):
    options = chain.get(word)
    if not options:
        break
    word = random.choice(options)
    sentence.append(word)
print(" ".join(sentence))
print({k: sorted(set(v)) for k, v in sorted(chain.items())})

P = np.array([[0.9, 0.075, 0.025], [0.15, 0.8, 0.05], [0.25, 0.25, 0.5]])
state = np.array([1.0, 0, 0])
for _ in range(200):
    state = state @ P
print("stationary:", state.round(4))
vals, vecs = np.linalg.eig(P.T)
v = np.real(vecs[:, np.argmin(np.abs(vals - 1))])
print("eigenvector:", (v / v.sum()).round(4), np.linalg.matrix_power(P, 50)[2].round(4))
rng = np.random.default_rng(1)
path = [0]
for _ in range(999):
    path.append(rng.choice(3, p=P[path[-1]]))
print("simulated:", (np.bincount(path) / 1000).round(2))
