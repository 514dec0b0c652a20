# No data and no files. Names stay from step to step of a session, and the value of the last line is shown.
import collections
import statistics

words = "the cold cell and the hot cell".split()
print(collections.Counter(words).most_common(2))
statistics.mean(len(word) for word in words)
