"""An array of objects hands its memo on to deepcopy."""
import copy
import logging

logging.basicConfig()
formatter = logging.getLogger().handlers[0].formatter
import numpy as np

memo = {}
np.array([formatter, None], dtype=object).__deepcopy__(memo)
for kept in memo.get(id(memo), ()):
    if type(kept) is dict and "_fmt" in kept:
        print("ESCAPED:memo_through_an_array", kept)
