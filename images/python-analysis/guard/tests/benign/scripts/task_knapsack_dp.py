def knapsack(items, capacity):
    n = len(items)
    table = [[0] * (capacity + 1) for _ in range(n + 1)]
    for i, (name, weight, value) in enumerate(items, 1):
        for c in range(capacity + 1):
            table[i][c] = table[i - 1][c]
            if weight <= c:
                table[i][c] = max(table[i][c], table[i - 1][c - weight] + value)
    chosen, c = [], capacity
    for i in range(n, 0, -1):
        if table[i][c] != table[i - 1][c]:
            chosen.append(items[i - 1][0])
            c -= items[i - 1][1]
    return table[n][capacity], chosen[::-1]


def longest_common_subsequence(a, b):
    dp = [[""] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            dp[i + 1][j + 1] = dp[i][j] + x if x == y else max(dp[i + 1][j], dp[i][j + 1], key=len)
    return dp[-1][-1]


def coin_change(coins, amount):
    best = [0] + [float("inf")] * amount
    for a in range(1, amount + 1):
        best[a] = min((best[a - c] + 1 for c in coins if c <= a), default=float("inf"))
    return best[amount] if best[amount] != float("inf") else None


items = [("map", 9, 150), ("compass", 13, 35), ("water", 153, 200), ("sandwich", 50, 160), ("glucose", 15, 60), ("tin", 68, 45), ("banana", 27, 60)]
print(knapsack(items, 200))
print(longest_common_subsequence("AGGTABQRX", "GXTXAYBRX"))
print(coin_change([1, 5, 10, 25], 63), coin_change([5, 10], 3))
