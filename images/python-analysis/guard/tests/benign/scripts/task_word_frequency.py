import re
from collections import Counter

text = """
It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness, it was the epoch of belief, it was the epoch of
incredulity, it was the season of Light, it was the season of Darkness.
"""


def word_frequency(text, stop_words=None):
    """Return a Counter of lower-cased words."""
    stop_words = stop_words or set()
    words = re.findall(r"[a-zA-Z']+", text.lower())
    return Counter(w for w in words if w not in stop_words)


if __name__ == "__main__":
    freq = word_frequency(text, stop_words={"the", "of", "it", "was"})
    for word, count in freq.most_common(8):
        print(f"{word:<15} {'#' * count} ({count})")
    print("Total unique words:", len(freq))
    print("Longest word:", max(freq, key=len))
