from __future__ import annotations

import operator
import statistics as st
from collections import defaultdict, namedtuple, ChainMap
from itertools import groupby, accumulate, chain, zip_longest, starmap, compress, dropwhile

Student = namedtuple("Student", ["name", "group", "scores"], defaults=[()])

students = [
    Student("Bea", "7b", (88, 92, 79)),
    Student("Ali", "7a", (75, 64, 91)),
    Student("Cem", "7a", (55, 48, 62)),
    Student("Dag", "7b", (99, 97, 100)),
    Student("Eva", "7a", (81, 85, 77)),
    Student("New", "7b"),
]

SCALE = {90: "A", 80: "B", 70: "C", 60: "D", 0: "F"}


def letter(mean: float) -> str:
    return next(g for limit, g in SCALE.items() if mean >= limit)


def summary(s: Student) -> tuple[str, float | None, str]:
    if not s.scores:
        return s.name, None, "-"
    mean = st.fmean(s.scores)
    return s.name, round(mean, 1), letter(mean)


by_group = operator.attrgetter("group")
for group, members in groupby(sorted(students, key=operator.attrgetter("group", "name")), key=by_group):
    print(group)
    for row in starmap(lambda n, m, g: f"  {n:<5}{m if m is not None else 'n/a':>6} {g}", map(summary, members)):
        print(row)
scores = list(chain.from_iterable(s.scores for s in students))
print(f"mean={st.mean(scores):.2f} median={st.median(scores)} sd={st.stdev(scores):.2f} mode={st.multimode([s // 10 * 10 for s in scores])}")
print(st.quantiles(scores, n=4), list(accumulate(scores[:5], max)), st.NormalDist.from_samples(scores).cdf(80) > 0.4)
exams = list(zip_longest(*(s.scores for s in students), fillvalue=None))
print([max(filter(None, e)) for e in exams], list(compress("abc", [1, 0, 1])), list(dropwhile(lambda x: x < 80, scores))[:2])
best = max(students, key=lambda s: sum(s.scores))
print(best.name, best._asdict()["group"], operator.itemgetter(0, -1)(best.scores), dict(ChainMap({"a": 1}, {"a": 2, "b": 3})))
histogram = defaultdict(int)
for s in scores:
    histogram[s // 10] += 1
for decade in range(min(histogram), max(histogram) + 1):
    print(f"{decade * 10:>3}-{decade * 10 + 9}: {'#' * histogram[decade]}")
print(st.linear_regression([1, 2, 3], [2, 4, 6.5]), st.correlation([1, 2, 3], [1, 2, 4]))
