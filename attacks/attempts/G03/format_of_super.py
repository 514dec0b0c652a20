"""str.format by super() in a subclass."""


class Text(str):
    def read(self, value):
        return super().format(value)


text = Text("{0.__self__.__na" + "me__}").read(print)
print("ESCAPED:format_of_super" if text == "builtins" else "held")
