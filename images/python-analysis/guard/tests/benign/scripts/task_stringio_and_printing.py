import io
import sys

buffer = io.StringIO()
print("to the buffer", 1, 2, sep="-", end="!\n", file=buffer)
buffer.write("more\n")
print(buffer.getvalue().splitlines())
buffer.seek(0)
print(buffer.readline().strip(), "|", buffer.read().strip(), buffer.tell() > 0)

data = io.BytesIO(b"\x00\x01\x02\x03")
print(data.read(2), data.getbuffer().nbytes)
wrapped = io.TextIOWrapper(io.BytesIO("a\nb\n".encode()), encoding="utf-8")
print([line.strip() for line in wrapped])

print("a", "b", sep="\t", file=sys.stdout)
sys.stdout.write("written directly\n")
print("to stderr", file=sys.stderr)
sys.stdout.flush()


class Tee:
    def __init__(self, *streams):
        self.streams = streams

    def write(self, text):
        for s in self.streams:
            s.write(text)
        return len(text)

    def flush(self):
        for s in self.streams:
            s.flush()


copy = io.StringIO()
print("twice", file=Tee(sys.stdout, copy))
print("copy holds", repr(copy.getvalue()))
for i in range(5):
    print(f"\rprogress {i + 1}/5", end="", flush=True)
print()
print(*range(5), sep=", ")
print(*(f"{x:>4}" for x in (1, 22, 333)), sep="")
