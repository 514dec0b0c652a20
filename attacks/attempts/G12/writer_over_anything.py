"""The same by a writer, which hands its buffer to be read."""
kept = []


class Raw:
    closed = False

    def writable(self):
        return True

    seekable = readable = flush = close = lambda self: None

    def tell(self):
        return 0

    def write(self, data):
        kept.append(data)
        return len(data)


writer = type(open(OUTPUT / "x", "wb"))(Raw(), 4096)
writer.write(b"y" * 100)
writer.flush()
del writer
others = [bytearray(b"x" * 4095) for _ in range(64)]
print("ESCAPED:writer_over_anything" if b"x" in bytes(kept[0]) else "held")
