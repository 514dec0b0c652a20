import gzip
import io
import json
import os
import zipfile
import zlib

records = [{"id": i, "name": f"item {i}"} for i in range(100)]
raw = json.dumps(records).encode("utf-8")

with gzip.open("records.json.gz", "wb") as f:
    f.write(raw)
with gzip.open("records.json.gz", "rt", encoding="utf-8") as f:
    again = json.load(f)
print("gzip round trip:", again == records, "smaller:", os.path.getsize("records.json.gz") < len(raw))

compressed = zlib.compress(raw, level=9)
print("zlib:", zlib.decompress(compressed) == raw, f"{len(compressed) / len(raw):.0%}", f"crc {zlib.crc32(raw):08x}")

with zipfile.ZipFile("archive.zip", "w", compression=zipfile.ZIP_DEFLATED) as zf:
    zf.writestr("a.txt", "alpha\n" * 50)
    zf.writestr("dir/b.json", raw)
with zipfile.ZipFile("archive.zip") as zf:
    for info in zf.infolist():
        print(info.filename, info.file_size, info.compress_size < info.file_size)
    print(zf.read("a.txt").decode().count("alpha"), zf.testzip())
    with zf.open("dir/b.json") as member:
        print(len(json.load(member)))

memory = io.BytesIO()
with zipfile.ZipFile(memory, "w") as zf:
    zf.writestr("x.csv", "a,b\n1,2\n")
memory.seek(0)
print(zipfile.is_zipfile(memory), zipfile.ZipFile(memory).namelist())
