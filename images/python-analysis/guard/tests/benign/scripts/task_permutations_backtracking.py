from typing import Iterator, List


def permutations(items: List[int]) -> Iterator[List[int]]:
    if len(items) <= 1:
        yield items
        return
    for i, x in enumerate(items):
        for rest in permutations(items[:i] + items[i + 1:]):
            yield [x, *rest]


def subset_sum(numbers, target, partial=()):
    s = sum(partial)
    if s == target:
        yield partial
    if s >= target:
        return
    for i, n in enumerate(numbers):
        yield from subset_sum(numbers[i + 1:], target, (*partial, n))


def parentheses(n, text="", opened=0, closed=0):
    if len(text) == 2 * n:
        return [text]
    out = []
    if opened < n:
        out += parentheses(n, text + "(", opened + 1, closed)
    if closed < opened:
        out += parentheses(n, text + ")", opened, closed + 1)
    return out


def word_break(s, words, memo=None):
    memo = {} if memo is None else memo
    if s in memo:
        return memo[s]
    if not s:
        return [[]]
    memo[s] = [[w] + rest for w in words if s.startswith(w) for rest in word_break(s[len(w):], words, memo)]
    return memo[s]


print(list(permutations([1, 2, 3])))
print(list(subset_sum([3, 34, 4, 12, 5, 2], 9)))
print(parentheses(3))
print([" ".join(w) for w in word_break("catsanddog", ["cat", "cats", "and", "sand", "dog"])])
anagrams = {}
for w in ("listen", "silent", "enlist", "google", "gogole", "cat", "act"):
    anagrams.setdefault("".join(sorted(w)), []).append(w)
print([g for g in anagrams.values() if len(g) > 1])
