import struct
import zlib
from pathlib import Path


def write_bmp(path, pixels):
    h, w = len(pixels), len(pixels[0])
    pad = (4 - (w * 3) % 4) % 4
    body = b"".join(bytes(c for r, g, b in row for c in (b, g, r)) + b"\0" * pad for row in reversed(pixels))
    header = struct.pack("<2sIHHI", b"BM", 54 + len(body), 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, w, h, 1, 24, 0, len(body), 2835, 2835, 0, 0)
    Path(path).write_bytes(header + body)
    return 54 + len(body)


def png(pixels):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    h, w = len(pixels), len(pixels[0])
    raw = b"".join(b"\0" + bytes(c for p in row for c in p) for row in pixels)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


grid = [[(x * 40, y * 40, 128) for x in range(5)] for y in range(4)]
size = write_bmp("a.bmp", grid)
data = open("a.bmp", "rb").read()
print(size == len(data), data[:2], struct.unpack_from("<i", data, 18)[0])
Path("a.png").write_bytes(png(grid))
print(Path("a.png").stat().st_size, Path("a.png").read_bytes()[1:4])
with open("a.bmp", "r+b") as f:
    f.seek(2); print(int.from_bytes(f.read(4), "little")); f.seek(0, 2); print(f.tell())
Path("a.bmp").unlink()
