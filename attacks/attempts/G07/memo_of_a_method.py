"""A __deepcopy__ is given the memo, which keeps the namespaces of what is around its object."""
import copy
import logging

logging.basicConfig()
formatter = logging.getLogger().handlers[0].formatter
memos = []


class Spy:
    def __deepcopy__(self, memo):
        memos.append(memo)
        return self


formatter.spy = Spy()
copy.deepcopy(formatter)
for kept in memos[0].get(id(memos[0]), ()):
    if type(kept) is dict and "_fmt" in kept:
        print("ESCAPED:memo_of_a_method", kept)
