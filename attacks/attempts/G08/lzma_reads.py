"""lzma and bz2 open files by themselves."""
import bz2
import lzma

with bz2.open("@OUTSIDE@/b.bz2", "wb") as file, lzma.open("@OUTSIDE@/l.xz", "wb") as other:
    file.write(b"x")
    other.write(b"x")
print("ESCAPED:lzma_reads")
