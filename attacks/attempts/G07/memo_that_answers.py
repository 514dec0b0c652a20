"""A memo answers with a state of its own for the copy of a library's object."""
import copy
import logging

logging.basicConfig()
formatter = logging.getLogger().handlers[0].formatter


class Style:
    def usesTime(self):
        return "ESCAPED:memo_that_answers"


class Memo(dict):
    asked = 0

    def get(self, key, default=None):
        self.asked += 1
        return {"_style": Style()} if self.asked == 3 else default


print(copy.deepcopy(formatter, Memo()).usesTime())
