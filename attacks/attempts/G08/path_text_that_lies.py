"""A str that lies about itself as a path."""


class Text(str):
    def startswith(self, *args):
        return True

    def split(self, *args):
        return ["a"]

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __str__(self):
        return str(DATA / "visits.csv")

    def __fspath__(self):
        return str(DATA / "visits.csv")


print("ESCAPED:path_text_that_lies" if open(Text("@CANARY@")).read().startswith("canary:") else "held")
