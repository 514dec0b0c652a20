import os
import sys
import itertools

text = "\n".join(f"{i},{i * i},{'x' * (i % 7)}" for i in range(1, 101))
with open("numbers.txt", "w") as f:
    print(text, file=f)

with open("numbers.txt") as f:
    lines = f.readlines()
    print("lines:", len(lines), "chars:", sum(map(len, lines)), "position:", f.tell())
with open("numbers.txt") as f:
    head = list(itertools.islice(f, 3))
    print([h.strip() for h in head])
    f.seek(0)
    print(repr(f.read(7)), f.readline().strip())
with open("numbers.txt", "r+") as f:
    f.seek(0, os.SEEK_END)
    f.write("last line\n")
with open("numbers.txt", "a") as f:
    f.writelines(["appended 1\n", "appended 2\n"])
with open("numbers.txt") as f:
    tail = f.read().splitlines()[-3:]
print(tail)
longest = max(open("numbers.txt"), key=len).strip()
print(longest, os.path.getsize("numbers.txt"), os.stat("numbers.txt").st_size)
try:
    with open("missing.txt") as f:
        pass
except FileNotFoundError as e:
    print("not found:", e.filename, file=sys.stdout)
except OSError as e:
    print("other", e)
try:
    open("numbers.txt", "x")
except FileExistsError as e:
    print("FileExistsError", e.errno)
with open("words.bin", "wb") as f:
    f.write(b"\x00\x01" * 4)
with open("words.bin", "rb") as f:
    print(f.read(3), f.seek(-2, 2), f.read())
os.unlink("words.bin")
print(sorted(os.listdir()))
