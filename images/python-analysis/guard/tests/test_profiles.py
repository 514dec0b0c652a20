"""The import profile ``analysis`` is what the image gives, and each module that a policy lists is there when a script asks."""

from __future__ import annotations

import itertools
import unittest

from tests import profiles
from tests.benign import policy
from tests.host import STAGE_2, Host


class Analysis(unittest.TestCase):
    def test_it_lists_what_the_image_holds(self) -> None:
        held = profiles.PROFILE.read_text(encoding="utf-8")
        self.assertEqual(held, profiles.render(profiles.listed()), "the image has other modules: run make profile")

    def test_each_row_of_what_is_left_out_is_in_the_image(self) -> None:
        names = list(profiles.public())
        for pattern in profiles.LEFT_OUT:
            with self.subTest(pattern):
                self.assertTrue(any(profiles.matches(name, pattern) for name in names))
        for name in profiles.KEPT:
            with self.subTest(name):
                self.assertIn(name, names)

    def test_what_is_left_out_says_why(self) -> None:
        for name, why in {**profiles.LEFT_OUT, **profiles.PACKAGES_LEFT_OUT}.items():
            with self.subTest(name):
                self.assertGreater(len(why), 8)

    def test_the_packages_without_a_row_are_those_that_scripts_use(self) -> None:
        expected = "cycler dateutil matplotlib mpl_toolkits numpy packaging pandas patsy plotly pylab pytz scipy statsmodels"
        self.assertLessEqual({*expected.split()}, {*profiles.packages()})


@unittest.skipIf(not STAGE_2, "")
class WhileAScriptRuns(unittest.TestCase):
    def test_every_listed_module_can_be_imported_under_the_lock(self) -> None:
        # In a session nobody knows what the steps will import; the most of it is loaded when they do.
        imports = policy.imports("workflow-step")
        host = Host()
        self.addCleanup(host.close)
        talk = host.converse(mode="session", imports=imports, seccomp=STAGE_2)
        self.assertEqual(talk.step("1").outcome, "completed")
        for names in itertools.batched(imports, 100):
            lines = [f"try: import {name}\nexcept BaseException as e: failed[{name!r}] = repr(e)" for name in names]
            run = talk.step("\n".join(["failed = {}", *lines, "failed"]))
            self.assertEqual((run.outcome, run.error), ("completed", ""))
            self.assertEqual(run.report["result"], {})
