"""An item shrinks the array while it becomes a number: it is written beyond the end."""
import array


class Item:
    def __index__(self):
        del items[8:]
        return 65


items = array.array("b", bytes(4096))
items[4000] = Item()
print("ESCAPED:array_item_shrinks" if len(items) == 8 else "held")
