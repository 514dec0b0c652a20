"""The raw file of a reader gets another readinto: the buffer that it is handed outlives the reader."""
kept = []
(OUTPUT / "x").write_bytes(b"abc" * 10)
file = open(OUTPUT / "x", "rb", 4096)
file.raw.readinto = lambda buffer: (kept.append(buffer), 0)[1]
file.read(1)
file.close()
del file
others = [bytearray(b"x" * 4095) for _ in range(64)]
print("ESCAPED:raw_of_a_reader" if b"xxxx" in bytes(kept[0]) else "held")
