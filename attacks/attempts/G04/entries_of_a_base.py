"""A base that names its own entries hands over what is no class."""
import functools


class Entries:
    def __init__(self, *entries):
        self.entries = entries

    def __mro_entries__(self, bases):
        return self.entries


class Keeper:
    def __init__(self, *given):
        self.given = given


kept = Keeper()


class X(Entries(kept)):
    def f(self):
        return 1


print("ESCAPED:entries_of_a_base", X.given[2]["f"].__globals__)
