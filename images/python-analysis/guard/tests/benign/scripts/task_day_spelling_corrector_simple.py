import re
from collections import Counter, deque
from functools import partial
import string
import sys

CORPUS = """the patient was seen in the clinic and the doctor advised rest the patient returned to
the clinic after a week the symptoms had improved and the doctor reduced the dose the dose was
taken with water every morning and every evening"""

WORDS = Counter(re.findall(r"\w+", CORPUS.lower()))
N = sum(WORDS.values())
P = lambda word: WORDS[word] / N


def edits1(word):
    splits = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    deletes = {a + b[1:] for a, b in splits if b}
    swaps = {a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1}
    replaces = {a + c + b[1:] for a, b in splits if b for c in string.ascii_lowercase}
    inserts = {a + c + b for a, b in splits for c in string.ascii_lowercase}
    return deletes | swaps | replaces | inserts


def known(words):
    return {w for w in words if w in WORDS}


def correct(word):
    options = known([word]) or known(edits1(word)) or known(e2 for e1 in edits1(word) for e2 in edits1(e1)) or {word}
    return max(sorted(options), key=P)


def fix(text):
    return re.sub(r"[a-z]+", lambda m: correct(m.group()), text.lower())


class Trie:
    def __init__(self):
        self.children = {}
        self.end = False

    def insert(self, word):
        node = self
        for c in word:
            node = node.children.setdefault(c, Trie())
        node.end = True

    def complete(self, prefix):
        node = self
        for c in prefix:
            if c not in node.children:
                return
            node = node.children[c]
        queue = deque([(prefix, node)])
        while queue:
            text, node = queue.popleft()
            if node.end:
                yield text
            queue.extend((text + c, child) for c, child in sorted(node.children.items()))


trie = Trie()
for w in WORDS:
    trie.insert(w)
for w in ("clinci", "doktor", "pateint", "moning", "xyz"):
    print(f"{w:<9}-> {correct(w)}")
print(fix("teh dose was taken wiht watter"), list(trie.complete("re")), list(trie.complete("zz")), file=sys.stdout)
print(len(edits1("ab")), WORDS.most_common(2), P("the") > P("dose"), (WORDS & Counter(the=2, rest=5)), WORDS.total() == N)
