from collections import defaultdict


def make_node():
    return {"children": defaultdict(make_node), "end": False, "count": 0}


class Trie:
    def __init__(self):
        self.root = make_node()

    def add(self, word):
        node = self.root
        for ch in word:
            node = node["children"][ch]
            node["count"] += 1
        node["end"] = True

    def _find(self, prefix):
        node = self.root
        for ch in prefix:
            if ch not in node["children"]:
                return None
            node = node["children"][ch]
        return node

    def complete(self, prefix, limit=5):
        node = self._find(prefix)
        if node is None:
            return []
        found, stack = [], [(prefix, node)]
        while stack and len(found) < limit:
            word, n = stack.pop()
            if n["end"]:
                found.append(word)
            for ch in sorted(n["children"], reverse=True):
                stack.append((word + ch, n["children"][ch]))
        return found

    def __contains__(self, word):
        node = self._find(word)
        return bool(node and node["end"])


trie = Trie()
for w in "car card care careful cat cart dog do dot door".split():
    trie.add(w)
for prefix in ("car", "do", "x", ""):
    print(f"{prefix!r:<6} {trie.complete(prefix)}")
print("car" in trie, "ca" in trie, trie._find("ca")["count"])
