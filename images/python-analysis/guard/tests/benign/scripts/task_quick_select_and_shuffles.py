import random


def quickselect(values, k):
    values = list(values)
    while True:
        pivot = random.choice(values)
        low = [v for v in values if v < pivot]
        same = [v for v in values if v == pivot]
        if k < len(low):
            values = low
        elif k < len(low) + len(same):
            return pivot
        else:
            k -= len(low) + len(same)
            values = [v for v in values if v > pivot]


def fisher_yates(items, rng):
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = rng.randint(0, i)
        items[i], items[j] = items[j], items[i]
    return items


random.seed(0)
data = [random.randint(0, 1000) for _ in range(101)]
print(quickselect(data, 50) == sorted(data)[50], quickselect(data, 0) == min(data))
print(fisher_yates(range(10), random.Random(4)))


def counting_sort(values):
    counts = [0] * (max(values) + 1)
    for v in values:
        counts[v] += 1
    return [v for v, n in enumerate(counts) for _ in range(n)]


def radix_sort(values, base=10):
    exp = 1
    while max(values) // exp:
        buckets = [[] for _ in range(base)]
        for v in values:
            buckets[v // exp % base].append(v)
        values = [v for b in buckets for v in b]
        exp *= base
    return values


print(counting_sort([3, 1, 2, 3, 0]), radix_sort(data) == sorted(data))
