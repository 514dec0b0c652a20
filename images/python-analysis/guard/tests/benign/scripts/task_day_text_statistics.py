import re
import string
import textwrap
from collections import Counter
from itertools import islice

TEXT = """The ferry was late again. Nobody on the quay seemed to mind; the fishermen mended nets,
the children threw stones, and an old dog slept between two crates of mussels. "It comes when
it comes," said the harbour master. Was he right? Perhaps! The clock above his door had stopped
at twenty past four, years ago, and nobody had wound it since."""


def syllables(word: str) -> int:
    groups = re.findall(r"[aeiouy]+", word.lower())
    count = len(groups) - (word.lower().endswith("e") and len(groups) > 1)
    return max(1, count)


def ngrams(words, n):
    return zip(*(islice(words, i, None) for i in range(n)))


def analyse(text: str) -> dict:
    sentences = [s for s in re.split(r"[.!?]+[\"'\s]*", text) if s.strip()]
    words = re.findall(r"[A-Za-z']+", text)
    lower = [w.lower() for w in words]
    counts = Counter(lower)
    n_syl = sum(map(syllables, words))
    flesch = 206.835 - 1.015 * len(words) / len(sentences) - 84.6 * n_syl / len(words)
    return {
        "characters": len(text),
        "letters": sum(c.isalpha() for c in text),
        "punctuation": sum(c in string.punctuation for c in text),
        "words": len(words),
        "unique": len(counts),
        "sentences": len(sentences),
        "longest": max(words, key=len),
        "flesch": round(flesch, 1),
        "top": counts.most_common(4),
        "bigrams": Counter(ngrams(lower, 2)).most_common(2),
    }


report = analyse(TEXT)
for key, value in report.items():
    print(f"{key:.<15}{value}")
table = str.maketrans("", "", string.punctuation)
print(textwrap.fill(TEXT.translate(table).title(), width=60, max_lines=3, placeholder=" [...]"))
print(textwrap.indent(textwrap.dedent("    x\n      y"), "> "))
