"""A loop over texts: formatting, splitting, patterns, dictionaries."""

import re
import time
from collections import Counter

began = time.thread_time()
pattern = re.compile(r"(\w+) (\d+)")
counts = Counter()
lines = []
for i in range(60_000):
    line = "patient {:05d} has {} visits".format(i, i % 7)
    lines.append(line.upper().replace("HAS", "had") + f" and {i / 3:.2f}")
    found = pattern.search(line)
    if found:
        counts[found.group(2)] += 1
    for word in line.split():
        counts[word] += len(word)
joined = ",".join(lines)
template = "{name}: {value:.1f}"
table = [template.format(name=k, value=v) for k, v in counts.most_common(20_000)]
rows = ["%s;%d" % (k, v) for k, v in sorted(counts.items())]
print(time.thread_time() - began)
