"""A text that is equal to every other is remembered as one that may be formatted."""
import json


class Same(str):
    def __hash__(self):
        return hash("{0.__globals__[codecs].__loader__}")

    def __eq__(self, other):
        return True


Same("anything").format()
text = str.format("{0.__globals__[codecs]." + "__loader__}", json.dumps)
if "importlib" in text:
    print("ESCAPED:format_remembers_a_lie", text)
