"""The memo of deepcopy keeps the real namespace of an object that was copied."""
import copy
import logging

logging.basicConfig()
formatter = logging.getLogger().handlers[0].formatter
memo = {}
copy.deepcopy(formatter, memo)
for kept in memo[id(memo)]:
    if type(kept) is dict and "_fmt" in kept:
        kept["datefmt"] = "ESCAPED:memo_keeps_a_namespace"
print(formatter.datefmt)
