"""The same by BufferedRandom's and BufferedRWPair's raw streams."""
import io

kept = []


class Raw(io.RawIOBase):
    def readable(self):
        return True

    def writable(self):
        return True

    def write(self, buffer):
        kept.append(buffer)
        return len(buffer)


writer = io.BufferedWriter(Raw(), 4096)
writer.write(b"y" * 100)
writer.flush()
del writer
others = [bytearray(b"x" * 4095) for _ in range(64)]
print("ESCAPED:buffered_random" if b"x" in bytes(kept[0]) else "held")
