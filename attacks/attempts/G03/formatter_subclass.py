"""A subclass of string.Formatter keeps what its fields resolve to."""
import string

found = []


class Keep(string.Formatter):
    def format_field(self, value, spec):
        found.append(value)
        return ""


Keep().format("{0." + "__self" + "__}", print)
print("ESCAPED:formatter_subclass", found[0].__name__)
