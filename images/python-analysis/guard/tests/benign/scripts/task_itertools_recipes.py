import itertools as it
import operator

print(list(it.chain([1, 2], "ab", range(2))), list(it.chain.from_iterable([[1], [2, 3]])))
print(list(it.combinations("ABC", 2)), len(list(it.permutations(range(5), 3))), list(it.product([0, 1], repeat=2)))
print(list(it.accumulate([1, 2, 3, 4], operator.mul)), list(it.accumulate([3, 1, 4, 1, 5], max)))
print([(k, len(list(g))) for k, g in it.groupby("aaabbcaa")])
print(list(it.zip_longest("abc", [1], fillvalue="-")), list(it.pairwise([1, 4, 9, 16])))
print(list(it.compress("ABCDEF", [1, 0, 1, 0, 1, 1])), list(it.dropwhile(lambda x: x < 3, [1, 2, 3, 1])))
print(list(it.islice(it.count(10, 5), 4)), list(it.islice(it.cycle("xy"), 5)), list(it.repeat(7, 3)))
print(list(it.starmap(pow, [(2, 5), (3, 2)])), list(it.filterfalse(lambda n: n % 2, range(6))))
a, b = it.tee([1, 2, 3])
print(sum(a), list(b), list(it.batched("ABCDEFG", 3)))


def powerset(s):
    return it.chain.from_iterable(it.combinations(s, r) for r in range(len(s) + 1))


def sliding_window(iterable, n):
    iterator = iter(iterable)
    window = list(it.islice(iterator, n - 1))
    for x in iterator:
        window.append(x)
        yield tuple(window)
        window.pop(0)


def roundrobin(*iterables):
    sentinel = object()
    for group in it.zip_longest(*iterables, fillvalue=sentinel):
        yield from (x for x in group if x is not sentinel)


print(list(powerset([1, 2, 3])))
print(list(sliding_window(range(6), 3)), "".join(roundrobin("ABC", "D", "EF")))
words = sorted(["apple", "bat", "bar", "atom", "book"], key=len)
print({n: list(g) for n, g in it.groupby(words, key=len)})
