"""A mapping proxy shows nobody the dict behind it, and compares as before."""

from __future__ import annotations

import unittest
from types import MappingProxyType
from typing import Any
from unittest import mock

from hotcell_guard.libraries import _proxies
from hotcell_guard.libraries._natives import Natives


class Keeping:
    """Is equal to everything, and keeps what it meets."""

    def __init__(self) -> None:
        self.met: list[object] = []

    def __eq__(self, other: object) -> bool:
        self.met.append(other)
        return True

    __ror__ = __or__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__
    __hash__ = None  # type: ignore[assignment]


class Proxies(unittest.TestCase):
    def test_a_class_that_has_not_changed_is_a_fault(self) -> None:
        with mock.patch.object(Natives, "take_operators"), self.assertRaises(_proxies.MappingProxyFault):
            _proxies.keep_mappings(Natives())

    def test_no_operator_gives_the_dict(self) -> None:
        _proxies.keep_mappings(Natives())
        held, spy = {"a": 1}, Keeping()
        proxy: Any = MappingProxyType(held)
        for answer in (
            proxy == spy, spy == proxy, proxy != spy, proxy < spy, proxy <= spy, proxy > spy, proxy >= spy, spy < proxy,
            proxy | spy, spy | proxy, MappingProxyType.__eq__(proxy, spy), MappingProxyType.__or__(proxy, spy),  # type: ignore[operator]
        ):  # fmt: skip
            self.assertIsNotNone(answer)
        self.assertFalse([each for each in spy.met if each is held])
        self.assertEqual({"a": 1}, held)

    def test_proxies_compare_and_join_as_before(self) -> None:
        _proxies.keep_mappings(Natives())
        one, same, other = (MappingProxyType(each) for each in ({"a": 1}, {"a": 1}, {"b": 2}))
        self.assertTrue(one == same and one != other and one == {"a": 1} and {"a": 1} == one)
        self.assertFalse(one == 3 or one != same)
        self.assertEqual([{"a": 1, "b": 2}] * 3, [one | other, one | {"b": 2}, {"a": 1} | other])
        self.assertRaises(TypeError, lambda: one < other)  # type: ignore[operator]
        self.assertRaises(TypeError, hash, one)
        self.assertEqual(vars(int), vars(int))
