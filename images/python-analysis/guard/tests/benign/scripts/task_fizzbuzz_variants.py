def fizzbuzz(n, rules=((3, "Fizz"), (5, "Buzz"))):
    return "".join(word for d, word in rules if n % d == 0) or str(n)


print(", ".join(fizzbuzz(i) for i in range(1, 21)))
print([fizzbuzz(i, ((2, "a"), (7, "b"))) for i in (2, 7, 14, 9)])


def collatz(n):
    steps = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps.append(n)
    return steps


longest = max(range(1, 200), key=lambda n: len(collatz(n)))
print(longest, len(collatz(longest)), max(collatz(longest)))
for i in range(1, 6):
    print(" " * (5 - i) + "*" * (2 * i - 1))
for row in ([[1]] + [[1] + [0] * k + [1] for k in range(3)]):
    print(row)
triangle = [[1]]
for _ in range(5):
    prev = triangle[-1]
    triangle.append([1] + [a + b for a, b in zip(prev, prev[1:])] + [1])
for row in triangle:
    print(" ".join(map(str, row)).center(20).rstrip())
