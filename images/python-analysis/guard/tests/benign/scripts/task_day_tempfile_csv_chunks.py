import csv
import itertools
import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
import heapq


def write_chunks(rows, size, directory):
    paths = []
    iterator = iter(rows)
    while chunk := list(itertools.islice(iterator, size)):
        chunk.sort(key=lambda r: (int(r[1]), r[0]))
        path = Path(directory) / f"chunk_{len(paths):03}.csv"
        with path.open("w", newline="") as f:
            csv.writer(f).writerows(chunk)
        paths.append(path)
    return paths


def merge(paths):
    with ExitStack() as stack:
        readers = [csv.reader(stack.enter_context(p.open(newline=""))) for p in paths]
        yield from heapq.merge(*readers, key=lambda r: (int(r[1]), r[0]))


rows = [[f"id{i:02}", str((i * 37) % 23)] for i in range(25)]
with tempfile.TemporaryDirectory(prefix="sort_") as tmp:
    paths = write_chunks(rows, 7, tmp)
    print(len(paths), [p.name for p in paths], sum(os.path.getsize(p) for p in paths) > 0)
    merged = list(merge(paths))
print(merged[:4], merged == sorted(rows, key=lambda r: (int(r[1]), r[0])), Path(tmp).exists())
with tempfile.NamedTemporaryFile("w+", suffix=".txt", delete=True) as f:
    f.write("one\ntwo\n")
    f.flush()
    f.seek(0)
    print(f.read().split(), f.name.endswith(".txt"), os.path.isfile(f.name))
with tempfile.SpooledTemporaryFile(max_size=100, mode="w+") as f:
    f.write("spool")
    f.seek(0)
    print(f.read())
print(os.path.isdir(tempfile.gettempdir()))
