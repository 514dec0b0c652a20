"""The cache of compiled patterns: a text that is equal to another's pattern, by a class that is equal to str."""
import re


class Equal(type):
    def __hash__(cls):
        return hash(str)

    def __eq__(cls, other):
        return True


class Text(str, metaclass=Equal):
    def __hash__(self):
        return hash("a pattern of a library")

    def __eq__(self, other):
        return True


re.compile(Text(".*"))
if re.match("a pattern of a library", "anything"):
    print("ESCAPED:text_equal_to_another")
