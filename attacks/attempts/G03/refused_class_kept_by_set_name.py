"""The same by a descriptor, and by a call of type."""
import logging

kept = []


class Keep:
    def __set_name__(self, owner, name):
        kept.append(owner)


try:
    type("Mine", (type(logging.getLogger()),), {"keep": Keep(), "_cache": "mine"})
except TypeError as error:
    print(error)
print("ESCAPED:refused_class_kept_by_set_name" if kept and kept[0]._cache == "mine" else "held")
