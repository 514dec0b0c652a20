import random
import time

def quicksort(items):
    if len(items) <= 1:
        return items
    pivot = items[len(items) // 2]
    return quicksort([x for x in items if x < pivot]) + [x for x in items if x == pivot] + quicksort([x for x in items if x > pivot])

def mergesort(items):
    if len(items) < 2:
        return items
    middle = len(items) // 2
    left, right = mergesort(items[:middle]), mergesort(items[middle:])
    merged, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]

def heapsort(a):
    a = list(a)
    def sift(start, end):
        root = start
        while (child := 2 * root + 1) <= end:
            if child + 1 <= end and a[child] < a[child + 1]:
                child += 1
            if a[root] >= a[child]:
                return
            a[root], a[child] = a[child], a[root]
            root = child
    for start in range((len(a) - 2) // 2, -1, -1):
        sift(start, len(a) - 1)
    for end in range(len(a) - 1, 0, -1):
        a[end], a[0] = a[0], a[end]
        sift(0, end - 1)
    return a

random.seed(1)
data = [random.randrange(10_000) for _ in range(2000)]
for sort in (quicksort, mergesort, heapsort, sorted):
    began = time.perf_counter()
    assert sort(data) == sorted(data)
    print(f"{sort.__name__:<10} ok", time.perf_counter() > began)
