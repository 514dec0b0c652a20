"""The class of an open file makes a reader over any object, and hands it its buffer."""
kept = []
(OUTPUT / "x").write_bytes(b"abc" * 10)


class Raw:
    closed = False

    def readable(self):
        return True

    seekable = writable = flush = close = lambda self: None

    def tell(self):
        return 0

    def readinto(self, buffer):
        kept.append(buffer)
        return 0


reader = type(open(OUTPUT / "x", "rb"))(Raw(), 4096)
reader.read(1)
del reader
others = [bytearray(b"x" * 4095) for _ in range(64)]
print("ESCAPED:reader_over_anything" if b"xxxx" in bytes(kept[0]) else "held")
