"""A Struct is initialised again while an iterator unpacks a buffer: the next item lies beyond the buffer's end."""
import struct

packed = struct.Struct("b")
items = packed.iter_unpack(bytes(8))
next(items)
packed.__init__("4000s")
print("ESCAPED:struct_initialised_again" if len(next(items)[0]) == 4000 else "held")
