"""The same by append: the array has grown already, and is shorter when the item is written."""
import array


class Item:
    def __index__(self):
        del items[8:]
        return 65


items = array.array("b", bytes(4096))
items.append(Item())
print("ESCAPED:array_append_shrinks" if len(items) == 8 else "held")
