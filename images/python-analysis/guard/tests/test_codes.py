"""Codes of pandas' indexes and categories are places among their levels, where native code gets them."""

from __future__ import annotations

import unittest

from tests.host import EarlyAndLate

MADE = """
import numpy as np
import pandas as pd

def index(*codes, **options):
    return pd.MultiIndex(levels=[[1, 2], [3, 4]], codes=codes, **options)

def kinds(codes, **options):
    return pd.Categorical.from_codes(codes, ["a", "b"], **options)

def grouped(by):
    return pd.Series(range(len(by))).groupby(by, observed=False).sum()

def summed(by):
    return pd.Series(range(len(by)), index=by).groupby(level=0).sum()

def changed(codes, to=100):
    codes.flags.writeable = True
    codes[:] = to
"""

REFUSED = {
    "codes beyond": "summed(index([0, 100], [1, 0], verify_integrity=False))",
    "codes before": "summed(index([0, -100], [1, 0], verify_integrity=False))",
    "others set": "summed(index([0, 1], [1, 0]).set_codes([[100, 0], [1, 0]], verify_integrity=False))",
    "those of a level set": "summed(index([0, 1], [1, 0]).set_codes([100, 0], level=0, verify_integrity=False))",
    "fewer levels set": "summed(index([0, 1], [1, 0]).set_levels([[1], [3]], verify_integrity=False))",
    "fewer codes": "summed(index([0, 1], [1], verify_integrity=False))",
    "values of theirs": "index([0, 100], [1, 0], verify_integrity=False).get_level_values(0)",
    "as a table": "index([0, 100], [1, 0], verify_integrity=False).to_frame()",
    "a length of its own": (
        "class Long(pd.Index):\n        __len__ = lambda self: 10**6\n"
        "    summed(pd.MultiIndex(levels=[Long([1, 2]), [3, 4]], codes=[[0, 100], [1, 0]], verify_integrity=False))"
    ),
    "shown ones": "i = index([0, 1], [1, 0]); changed(i.codes[0]); summed(i)",
    "what shown ones show": "i = index([0, 1], [1, 0]); changed(i.codes[0].base); changed(i.codes[0]); summed(i)",
    "missing levels' ones": (
        "i = pd.MultiIndex(levels=[[1, None], [3, 4]], codes=[[0, 1], [1, 0]])\n    changed(i.codes[0]); print(summed(i))"
    ),
    "categories beyond": "np.asarray(kinds([0, 100], validate=False))",
    "categories before": "grouped(kinds(np.array([0, -100]), validate=False))",
    "given ones": "a = np.array([0, 1], 'i1'); c = kinds(a); a[:] = 100; grouped(c)",
    "a view": "c = kinds([0, 1]); c.view('i1')[:] = 100; grouped(c)",
    "given ones as a column": "a = np.array([0, 1], 'i1'); s = pd.Series(kinds(a)); a[:] = -90; s.astype(object)",
}

HELD = """
i = index([0, 1, -1], [1, 0, 0])
i.codes[0].shape = (3, 1); i.codes[1].dtype = "u1"
given = np.array([0, 1], "i1"); other = index(given, [1, 0])
given.flags.writeable = True; given[:] = 100; assert other.codes[0].tolist() == [0, 1]
again = pd.MultiIndex(levels=other.levels, codes=other.codes, verify_integrity=False)
assert again.codes[0].tolist() == [0, 1] and again.equals(other)
c = kinds([0, 1, -1]); changed(c.codes); assert c.codes.tolist() == [0, 1, -1] and grouped(c).tolist() == [0, 1]
assert i.codes[0].tolist() == [0, 1, -1] and i.get_level_values(0).tolist()[:2] == [1.0, 2.0]
assert i.remove_unused_levels().equals(i) and i[:1].remove_unused_levels().levels[0].tolist() == [1]
assert pd.MultiIndex.from_product([[], ["x"]]).codes[0].size == 0
wide = pd.DataFrame({"k": list("xyx"), "n": [1, 2, 3], "v": [4.0, 5.0, 6.0]}).set_index(["k", "n"])
assert wide.unstack().shape == (2, 3) and wide.unstack().stack(future_stack=True).dropna().v.sum() == 15
assert wide.groupby(level="k").v.sum().to_dict() == {"x": 10, "y": 5} and wide.loc[("x", 3), "v"] == 6
assert wide.sort_index(ascending=False).index[0] == ("y", 2) and wide.index.droplevel(0).tolist() == [1, 2, 3]
assert wide.reset_index().pivot_table(index="k", columns="n", values="v").loc["x", 1] == 4
assert wide.index.set_levels(["p", "q"], level=0).tolist()[1] == ("q", 2) and wide.index.copy(deep=True).equals(wide.index)
assert pd.MultiIndex.from_tuples(wide.index.tolist()).append(wide.index).duplicated().sum() == 3
frame = pd.DataFrame({"c": pd.Categorical(list("abca")), "v": range(4)})
assert frame.groupby("c", observed=True).v.sum()["a"] == 3 and frame.c.cat.remove_categories("b").isna().sum() == 1
assert frame.c.cat.set_categories(list("cba"), ordered=True).max() == "a" and frame.c.cat.add_categories("z").cat.codes.tolist() == [0, 1, 2, 0]
assert pd.concat([frame, frame]).c.value_counts()["a"] == 4 and pd.cut([1, 5], [0, 2, 6]).codes.tolist() == [0, 1]
assert frame.merge(frame, on="c").shape == (6, 3) and pd.get_dummies(frame.c).shape == (4, 3)
frame.loc[0, "c"] = "b"; assert frame.c.cat.remove_unused_categories().cat.codes.tolist() == [1, 1, 2, 0]
try: index([0, 2], [0, 1])
except ValueError as error: assert str(error).startswith("On level 0, code max (2) >= length of level (2)"), error
try: pd.MultiIndex(levels=[[1], [2]], codes=[[0], [0, 0]])
except ValueError as error: assert "Unequal code lengths: [1, 2]" in str(error), error
print("held")
"""


class Codes(EarlyAndLate):
    early = ("pandas",)

    def test_codes_outside_are_refused(self) -> None:
        functions = "".join(
            f"def act():\n    {text.replace('; ', chr(10) + '    ')}\ntry: act()\nexcept ValueError: pass\nelse: print({label!r})\n"
            for label, text in REFUSED.items()
        )
        self.assert_prints("all\n", MADE + functions + "print('all')")

    def test_whoever_works_with_them_goes_on(self) -> None:
        self.assert_prints("held\n", MADE + HELD)


if __name__ == "__main__":
    unittest.main()
