"""A subclass of Struct initialises its object again: by super, and by its class."""
import struct


class Mine(struct.Struct):
    def again(self, text):
        super().__init__(text)


packed = Mine("b")
items = packed.iter_unpack(bytes(8))
next(items)
packed.again("4000s")
print("ESCAPED:struct_of_its_own" if len(next(items)[0]) == 4000 else "held")
