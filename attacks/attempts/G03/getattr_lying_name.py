"""getattr with a str that answers a checker with another name."""


class Name(str):
    def startswith(self, *args):
        return False

    def strip(self, *args):
        return "name"


print("ESCAPED:getattr_lying_name", getattr(print, Name("__self__")).__name__)
