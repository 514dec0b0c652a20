"""A reader below a text wrapper, made by the class of an open file's buffer."""
import io

kept = []


class Raw(io.RawIOBase):
    def readable(self):
        return True

    def readinto(self, buffer):
        kept.append(buffer)
        return 0


file = open(DATA / "visits.csv", "rb")
reader = type(file)(Raw(), 4096)
reader.read(1)
del reader
others = [bytearray(b"x" * 4095) for _ in range(64)]
print("ESCAPED:text_wrapper_buffer" if b"xxxx" in bytes(kept[0]) else "held")
