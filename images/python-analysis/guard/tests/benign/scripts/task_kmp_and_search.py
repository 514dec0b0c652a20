def prefix_table(pattern):
    table, k = [0] * len(pattern), 0
    for i in range(1, len(pattern)):
        while k and pattern[k] != pattern[i]:
            k = table[k - 1]
        k += pattern[k] == pattern[i]
        table[i] = k
    return table


def kmp(text, pattern):
    table, k = prefix_table(pattern), 0
    for i, ch in enumerate(text):
        while k and pattern[k] != ch:
            k = table[k - 1]
        k += pattern[k] == ch
        if k == len(pattern):
            yield i - k + 1
            k = table[k - 1]


def rabin_karp(text, pattern, base=256, mod=1_000_003):
    n, m = len(text), len(pattern)
    power = pow(base, m - 1, mod)
    h = t = 0
    for a, b in zip(pattern, text):
        h, t = (h * base + ord(a)) % mod, (t * base + ord(b)) % mod
    hits = []
    for i in range(n - m + 1):
        if h == t and text[i:i + m] == pattern:
            hits.append(i)
        if i < n - m:
            t = ((t - ord(text[i]) * power) * base + ord(text[i + m])) % mod
    return hits


text = "abracadabra abracadabra"
print(prefix_table("abacab"), list(kmp(text, "abra")), rabin_karp(text, "abra"))
print(list(kmp("aaaa", "aa")), rabin_karp("xyz", "abc"), text.find("cad"), text.rindex("abra"))
suffixes = sorted(range(11), key=lambda i: "abracadabra"[i:])
print(suffixes)
rotations = sorted("banana$"[i:] + "banana$"[:i] for i in range(7))
print("".join(r[-1] for r in rotations))
