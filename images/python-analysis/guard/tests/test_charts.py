from __future__ import annotations

import unittest

import numpy  # noqa: F401  # pylint: disable=unused-import  # plotly's figures bring it

from hotcell_guard.answering import _charts


class Figure:
    """Stands for a figure of plotly 6, which writes typed arrays."""

    def to_json(self) -> str:
        return (
            '{"data": [{"x": {"dtype": "i2", "bdata": "AQACAA=="}, "y": {"dtype": "f8", "bdata": "AAAAAAAA+D8="},'
            ' "z": {"dtype": "i1", "bdata": "AQIDBAUG", "shape": "2, 3"}, "bdata": 1, "dtype": "kept"}]}'
        )


class Plain(unittest.TestCase):
    def test_typed_arrays_become_lists(self) -> None:
        self.assertEqual(
            _charts._plain(Figure()),
            {"data": [{"x": [1, 2], "y": [1.5], "z": [[1, 2, 3], [4, 5, 6]], "bdata": 1, "dtype": "kept"}]},
        )
