import heapq
from collections import Counter
from itertools import count


def huffman(text):
    tie = count()
    heap = [(n, next(tie), ch) for ch, n in sorted(Counter(text).items())]
    heapq.heapify(heap)
    while len(heap) > 1:
        n1, _, a = heapq.heappop(heap)
        n2, _, b = heapq.heappop(heap)
        heapq.heappush(heap, (n1 + n2, next(tie), (a, b)))
    codes = {}

    def walk(node, prefix=""):
        if isinstance(node, str):
            codes[node] = prefix or "0"
        else:
            walk(node[0], prefix + "0")
            walk(node[1], prefix + "1")

    walk(heap[0][2])
    return codes


def decode(bits, codes):
    reverse = {v: k for k, v in codes.items()}
    out, buf = [], ""
    for b in bits:
        buf += b
        if buf in reverse:
            out.append(reverse[buf])
            buf = ""
    return "".join(out)


def run_length(s):
    out = []
    for ch in s:
        if out and out[-1][0] == ch:
            out[-1][1] += 1
        else:
            out.append([ch, 1])
    return "".join(f"{n}{c}" if n > 1 else c for c, n in out)


text = "abracadabra alakazam"
codes = huffman(text)
bits = "".join(codes[c] for c in text)
for ch, code in sorted(codes.items(), key=lambda kv: (len(kv[1]), kv[1])):
    print(repr(ch), code)
print(len(bits), "bits instead of", len(text) * 8, f"({len(bits) / (len(text) * 8):.0%})")
print(decode(bits, codes) == text)
print(run_length("aaabccdddd"), run_length("xyz"))
