"""A JSON parser by hand, compared with the standard library."""
import json
import re


class JSONParser:
    NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
    STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')

    def __init__(self, text):
        self.text, self.i = text, 0

    def error(self, message):
        raise ValueError(f"{message} at {self.i}")

    def skip(self):
        while self.i < len(self.text) and self.text[self.i] in " \t\r\n":
            self.i += 1

    def value(self):
        self.skip()
        rest = self.text[self.i:]
        if rest[:1] == "{":
            return self.container("}", self.pair, dict)
        if rest[:1] == "[":
            return self.container("]", self.value, list)
        for word, const in (("true", True), ("false", False), ("null", None)):
            if rest.startswith(word):
                self.i += len(word)
                return const
        if m := self.STRING.match(self.text, self.i):
            self.i = m.end()
            return m[1].encode().decode("unicode_escape") if "\\" in m[1] else m[1]
        if m := self.NUMBER.match(self.text, self.i):
            self.i = m.end()
            return float(m[0]) if m[1] or m[2] else int(m[0])
        self.error("unexpected character")

    def pair(self):
        key = self.value()
        self.skip()
        if self.text[self.i] != ":":
            self.error("expected ':'")
        self.i += 1
        return key, self.value()

    def container(self, end, item, kind):
        self.i += 1
        items = []
        while True:
            self.skip()
            if self.text[self.i] == end:
                self.i += 1
                return kind(items)
            if items:
                if self.text[self.i] != ",":
                    self.error("expected ','")
                self.i += 1
            items.append(item())


for text in ('{"a": [1, 2.5, -3e2], "b": {"c": null}, "d": "x\\ny"}', "[]", " [true, false] ", '"plain"'):
    mine = JSONParser(text).value()
    print(mine, mine == json.loads(text))
for bad in ("[1 2]", "@"):
    try:
        JSONParser(bad).value()
    except ValueError as e:
        print("ValueError:", e)
