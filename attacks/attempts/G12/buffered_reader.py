"""The buffer that io.BufferedReader hands to its raw stream outlives the reader."""
import io

kept = []


class Raw(io.RawIOBase):
    def readable(self):
        return True

    def readinto(self, buffer):
        kept.append(buffer)
        return 0


reader = io.BufferedReader(Raw(), 4096)
reader.read(1)
del reader
others = [bytearray(b"x" * 4095) for _ in range(64)]
print("ESCAPED:buffered_reader" if b"xxxx" in bytes(kept[0]) else "held")
