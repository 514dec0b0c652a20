"""A key takes the next group while it is compared: native code goes on with a key that nobody holds any more."""
import itertools
import sys


class Key:
    busy = False

    def __eq__(self, other):
        if not Key.busy:
            Key.busy = True
            next(groups, None)
            next(groups, None)
            counts.append(sys.getrefcount(other))
        return True


counts = []
groups = itertools.groupby(Key() for _ in range(9))
next(groups)
next(groups, None)
print("ESCAPED:keys_of_groups_freed" if min(counts) <= 2 else "held")
