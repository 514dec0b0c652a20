"""An item that is to become a number takes the array out of its only list and resizes it: it is written where the array was."""
import numpy as np


class Item:
    def __float__(self):
        while box:
            box.pop().resize(200_000)
            others.extend(np.full(200, 7.0) for _ in range(64))
        return 1.0


others, box = [], [np.zeros(200)]
box[0][5] = Item()
print("ESCAPED:resize_by_an_item" if any((each != 7.0).any() for each in others) else "held")
