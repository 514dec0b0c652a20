"""The cache of compiled patterns is everybody's: a key that is equal to another's gives a library's pattern other flags."""
import re


class Flags(int):
    def __hash__(self):
        return hash(0)

    def __eq__(self, other):
        return True


re.compile("never compiled before", Flags(re.IGNORECASE))
if re.match("never compiled before", "NEVER COMPILED BEFORE"):
    print("ESCAPED:flags_equal_to_none")
