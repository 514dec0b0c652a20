from collections import Counter, deque


def two_sum(nums, target):
    seen = {}
    for i, n in enumerate(nums):
        if target - n in seen:
            return seen[target - n], i
        seen[n] = i


def max_subarray(nums):
    best = current = nums[0]
    for n in nums[1:]:
        current = max(n, current + n)
        best = max(best, current)
    return best


def longest_unique(s):
    start, best, last = 0, 0, {}
    for i, ch in enumerate(s):
        if last.get(ch, -1) >= start:
            start = last[ch] + 1
        last[ch] = i
        best = max(best, i - start + 1)
    return best


def sliding_max(nums, k):
    dq, out = deque(), []
    for i, n in enumerate(nums):
        while dq and nums[dq[-1]] <= n:
            dq.pop()
        dq.append(i)
        if dq[0] == i - k:
            dq.popleft()
        if i >= k - 1:
            out.append(nums[dq[0]])
    return out


print(two_sum([2, 7, 11, 15], 9), max_subarray([-2, 1, -3, 4, -1, 2, 1, -5, 4]))
print(longest_unique("abcabcbb"), sliding_max([1, 3, -1, -3, 5, 3, 6, 7], 3))
print([x for x, n in Counter([1, 1, 2, 3, 3, 3]).items() if n > 1])
intervals = sorted([[1, 3], [8, 10], [2, 6], [15, 18], [9, 12]])
merged = [intervals[0]]
for s, e in intervals[1:]:
    if s <= merged[-1][1]:
        merged[-1][1] = max(merged[-1][1], e)
    else:
        merged.append([s, e])
print(merged)
