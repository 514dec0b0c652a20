import bisect


def binary_search(arr, target):
    lo, hi = 0, len(arr) - 1
    steps = 0
    while lo <= hi:
        steps += 1
        mid = (lo + hi) // 2
        if arr[mid] == target:
            return mid, steps
        if arr[mid] < target:
            lo = mid + 1
        else:
            hi = mid - 1
    return -1, steps


arr = list(range(0, 200, 3))
for target in (0, 99, 100, 198):
    print(target, binary_search(arr, target), bisect.bisect_left(arr, target))

grades = [33, 99, 77, 70, 89, 90, 100]
print([("F", "D", "C", "B", "A")[bisect.bisect([60, 70, 80, 90], g)] for g in grades])

scores = []
for name, s in [("ann", 3), ("bob", 1), ("cy", 2), ("di", 2)]:
    bisect.insort(scores, (s, name))
print(scores)
people = [{"name": "x", "age": 10}, {"name": "y", "age": 20}, {"name": "z", "age": 30}]
i = bisect.bisect_left(people, 20, key=lambda p: p["age"])
print("first aged 20 or more:", people[i]["name"])


def count_in_range(sorted_values, lo, hi):
    return bisect.bisect_right(sorted_values, hi) - bisect.bisect_left(sorted_values, lo)


print("multiples of 3 between 30 and 60:", count_in_range(arr, 30, 60))
