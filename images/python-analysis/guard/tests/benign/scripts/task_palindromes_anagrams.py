import re
from collections import defaultdict


def is_palindrome(s):
    s = re.sub(r"[^a-z0-9]", "", s.lower())
    return s == s[::-1]


def longest_palindrome(s):
    best = ""
    for i in range(len(s)):
        for a, b in ((i, i), (i, i + 1)):
            while a >= 0 and b < len(s) and s[a] == s[b]:
                a, b = a - 1, b + 1
            if b - a - 1 > len(best):
                best = s[a + 1:b]
    return best


for text in ("A man, a plan, a canal: Panama", "Hello", "Was it a car or a cat I saw?", ""):
    print(f"{text!r}: {is_palindrome(text)}")
print(longest_palindrome("forgeeksskeegfor"), longest_palindrome("banana"))
groups = defaultdict(list)
for w in "eat tea tan ate nat bat".split():
    groups["".join(sorted(w))].append(w)
print(sorted(groups.values(), key=len, reverse=True))
vowels = sum(ch in "aeiou" for ch in "programming language")
print("vowels:", vowels, "reversed words:", " ".join("one two three".split()[::-1]))
print("first unique:", next((c for c in "swiss" if "swiss".count(c) == 1), None), "is isogram:", len(set("lumberjacks")) == len("lumberjacks"))
