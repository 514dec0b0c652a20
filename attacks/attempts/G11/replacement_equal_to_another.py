"""The cache of templates of re.sub is everybody's: a text that is equal to a library's replacement takes its place."""
import re


class Text(str):
    def __hash__(self):
        return hash(r"<\1>")

    def __eq__(self, other):
        return True


re.sub("(a)", Text(r"\1\1"), "a")
if re.sub("(a)", r"<\1>", "a") == "aa":
    print("ESCAPED:replacement_equal_to_another")
