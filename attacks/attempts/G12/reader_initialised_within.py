"""A subclass of readers is initialised again while its buffer is being read into: what is read goes to memory that is free."""
(OUTPUT / "x").write_bytes(b"abc" * 10)
kind = type(open(OUTPUT / "x", "rb"))


class Raw:
    closed = False

    def readable(self):
        return True

    seekable = writable = flush = close = lambda self: None

    def tell(self):
        return 0

    def readinto(self, buffer):
        reader.__init__(self, 8)
        buffer[:4] = b"abcd"
        return 4


class Reader(kind):
    pass


reader = Reader(Raw(), 4096)
print("ESCAPED:reader_initialised_within" if reader.read1(4) is not None else "held")
