"""A value empties the bytearray that it is filled into: the rest of it is read from memory that another has."""


class Value:
    def __repr__(self):
        data.clear()
        others.append(bytearray(b"B" * 402))
        return "x"


others = []
data = bytearray(b"%r" + b"A" * 400)
print("ESCAPED:bytes_filled_in_while_freed" if b"B" in data % Value() else "held")
