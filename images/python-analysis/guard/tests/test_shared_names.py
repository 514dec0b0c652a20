"""What all share under names that are read with care, or that are public in spite of an underscore."""

from __future__ import annotations

import unittest

from tests.host import Host

CHANGED = """
import calendar, collections, json, math, re
import pandas as pd
from matplotlib.patches import Patch

def refused(*statements):
    for text, change in statements:
        try:
            change()
        except AttributeError as error:
            assert "cannot" in str(error), error
        else:
            raise AssertionError(text)

def view(): math.format = 1
def function(): json.dumps.obj = 1
def bound(): Patch.get_path.format_map = 1
def kind(): Patch.format = 1
def removed(): del math.format
def in_place(): Patch.obj += 1
def member(): re.IGNORECASE._value_ = 0
def called(): re.IGNORECASE._name_ = "X"
def table(): calendar.Month._member_map_ = {}
def by_setattr(): setattr(re.IGNORECASE, "_value_", 0)
def fields(): pd.Timestamp._fields = ()

refused(*[(each.__name__, each) for each in
          (view, function, bound, kind, removed, in_place, member, called, table, by_setattr, fields)])

re.RegexFlag._value2member_map_[2] = calendar.Month._member_map_["MINE"] = "mine"
calendar.Month._member_names_.append("MINE")
pd.DataFrame._metadata.append("mine")
assert re.RegexFlag(2) is re.IGNORECASE and "MINE" not in calendar.Month._member_names_ and not pd.DataFrame._metadata
print("kept")
"""

OWN = """
import collections, enum
import pandas as pd

class Colour(enum.Enum):
    RED = 1
    def __init__(self, value):
        self._label, self._value_ = "colour", value + 1

class Table(pd.DataFrame):
    _metadata = ["unit"]

    @property
    def _constructor(self):
        return Table

class Holder:
    def __init__(self):
        self._metadata, self.format, self.obj = {}, 1, 2

table, holder = Table({"a": [1]}), Holder()
table.unit = "kg"
Table._metadata.append("source")
holder._metadata["a"] = 1
holder._metadata |= {"b": 2}
holder.format += 1
del holder.obj
Pair = collections.namedtuple("Pair", "a b", defaults=[1])
assert table.copy().unit == "kg" and Table._metadata == ["unit", "source"]
assert holder._metadata == {"a": 1, "b": 2} and holder.format == 2 and vars(holder)["_metadata"] is holder._metadata
assert Colour.RED.value == 2 and Colour._member_map_ == {"RED": Colour.RED} and Colour._value2member_map_
assert Pair(2)._replace(a=3)._asdict() == {"a": 3, "b": 1} and Pair._field_defaults == {"b": 1}
joined = pd.DataFrame({"a": [1]}).merge(pd.DataFrame({"a": [1]}), indicator=True)
joined._merge = joined._merge.astype(str)
assert joined._merge.tolist() == ["both"]
print("works")
"""


class SharedNamesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def test_what_libraries_made_stays(self) -> None:
        imports = "calendar collections json math re pandas matplotlib.patches".split()
        run = self.host.run(CHANGED, imports=imports)
        self.assertEqual((run.outcome, run.stdout), ("completed", "kept\n"), run.report)

    def test_the_scripts_own_can_be_changed(self) -> None:
        run = self.host.run(OWN, imports=["collections", "enum", "pandas"])
        self.assertEqual((run.outcome, run.stdout), ("completed", "works\n"), run.report)


if __name__ == "__main__":
    unittest.main()
