"""A separator empties the bytearray when its length is asked for: another's memory is written out."""


class Separator(str):
    def __len__(self):
        data.clear()
        others.append(bytearray(b"B" * 400))
        return 1


others = []
data = bytearray(b"A" * 400)
print("ESCAPED:bytes_written_out_while_freed" if "42" in data.hex(Separator(":")) else "held")
