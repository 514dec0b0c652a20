"""Changes to libraries are all made, whoever else changes the same module."""

from __future__ import annotations

import types
import unittest

from hotcell_guard.libraries._changes import joined, put


class Changes(unittest.TestCase):
    def test_two_changes_of_a_module_are_both_made(self) -> None:
        changes = joined({"a": put("one", 1), "b": put("one", 2)}, dict.fromkeys(["a"], put("two", 2)), {"a": put("one", 3)})
        module = types.ModuleType("a")
        changes["a"](module)
        self.assertEqual((module.one, module.two), (3, 2))
        self.assertEqual(sorted(changes), ["a", "b"])


if __name__ == "__main__":
    unittest.main()
