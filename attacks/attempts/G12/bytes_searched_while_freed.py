"""A number empties the bytearray while it becomes one: the search goes on in memory that another has."""


class Number:
    def __index__(self):
        data.clear()
        others.append(bytearray(b"B" * 400))
        return 66


others = []
data = bytearray(b"A" * 400)
print("ESCAPED:bytes_searched_while_freed" if data.find(Number()) >= 0 else "held")
