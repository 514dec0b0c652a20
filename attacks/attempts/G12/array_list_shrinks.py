"""The same by a list of items, and by floats."""
import array


class Item:
    def __float__(self):
        del items[8:]
        return 65.0


items = array.array("d", bytes(4096))
items.fromlist([1.0, Item()])
print("ESCAPED:array_list_shrinks" if len(items) == 8 else "held")
