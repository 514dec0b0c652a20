"""A file object shrinks the array that is being written to it: the next block is what lies behind."""
import array


class File:
    blocks = 0

    def write(self, block):
        self.blocks += 1
        del items[8:]


items, file = array.array("b", bytes(100_000)), File()
items.tofile(file)
print("ESCAPED:array_to_a_file" if file.blocks > 1 else "held")
