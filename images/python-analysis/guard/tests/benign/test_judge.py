"""The list of known differences: what it forgives, and what it does not."""

from __future__ import annotations

import unittest

from tests.benign.judge import OUTPUT, Comparison, Known, read_known, verdicts
from tests.benign.sides import Ending
from tests.benign.test_benign import HERE

RAN = Ending("", "1\n")


def compared(**faults: str) -> Comparison:
    """Scripts that run under plain Python, with their faults under the guard."""
    return Comparison(
        chosen=len(faults),
        plain=dict.fromkeys(faults, RAN),
        guarded={name: Ending("" if fault == OUTPUT else fault, "") for name, fault in faults.items()},
        differences={name: fault for name, fault in faults.items() if fault},
    )


def known(*scripts: str, sometimes: bool = False) -> Known:
    return Known("pickle", ("'pickle' may not",), frozenset(scripts), sometimes)


class Verdicts(unittest.TestCase):
    def test_a_listed_difference_is_forgiven(self) -> None:
        found = compared(a="import.denied: 'pickle' may not be imported", b="")
        self.assertEqual(list(verdicts(found, [known("a")])), [])

    def test_a_new_difference_is_told(self) -> None:
        for fault in ("raised: ValueError: x", OUTPUT):
            self.assertEqual(list(verdicts(compared(a=fault), [known("b")])), [f"a: {fault}"])

    def test_a_listed_script_that_fails_for_another_reason_is_told(self) -> None:
        self.assertEqual(list(verdicts(compared(a="ended by SIGSYS"), [known("a")])), ["a: ended by SIGSYS"])

    def test_a_listed_difference_that_is_gone_is_told(self) -> None:
        (line,) = verdicts(compared(a=""), [known("a")])
        self.assertIn("there is no difference", line)
        self.assertEqual(list(verdicts(compared(a=""), [known("a", sometimes=True)])), [])

    def test_a_listed_script_that_was_not_chosen_is_passed_over(self) -> None:
        self.assertEqual(list(verdicts(compared(a=""), [known("b")])), [])


class Rate(unittest.TestCase):
    def test_counts_what_runs_of_what_runs_under_plain_python(self) -> None:
        found = compared(a="", b=OUTPUT, c="raised", d="")
        self.assertEqual((found.failed, found.rate), (1, 0.75))
        self.assertEqual(Comparison().rate, 0.0)


class List(unittest.TestCase):
    def test_names_each_script_once_with_a_reason(self) -> None:
        groups = read_known(HERE / "differences.toml")
        names = [name for group in groups for name in group.scripts]
        self.assertEqual(len(names), len(set(names)))
        for group in groups:
            self.assertTrue(group.reason and group.faults and group.scripts and all(group.faults), group)
