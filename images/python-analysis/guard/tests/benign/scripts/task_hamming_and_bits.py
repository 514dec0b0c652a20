def popcount(n):
    return bin(n).count("1")


def hamming(a: bytes, b: bytes) -> int:
    return sum((x ^ y).bit_count() for x, y in zip(a, b))


def gray(n):
    return n ^ (n >> 1)


def is_power_of_two(n):
    return n > 0 and n & (n - 1) == 0


print([popcount(n) for n in range(9)], hamming(b"this is a test", b"wokka wokka!!!"))
print([f"{gray(n):03b}" for n in range(8)], [n for n in range(70) if is_power_of_two(n)])
flags = {"READ": 1 << 0, "WRITE": 1 << 1, "EXEC": 1 << 2}
mode = flags["READ"] | flags["EXEC"]
print([k for k, v in flags.items() if mode & v], mode & ~flags["READ"], mode ^ 7)
x, y = 12, 25
x ^= y; y ^= x; x ^= y
print(x, y, ~5, -17 >> 2, 1 << 40, (255).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "little"))
numbers = [4, 7, 4, 9, 9]
single = 0
for n in numbers:
    single ^= n
print("single:", single, (10).bit_length(), f"{10:#010b}", int("ff", 16), oct(8))
import struct
print(struct.pack("<IHf", 1, 2, 3.5).hex(), struct.unpack("<IHf", bytes.fromhex("01000000020000006040")), struct.calcsize("d"))
