import os
import shutil
from collections import defaultdict
from pathlib import Path

CATEGORIES = {"images": {".png", ".jpg"}, "documents": {".txt", ".md", ".pdf"}, "data": {".csv", ".json"}}
inbox = Path("inbox")
inbox.mkdir(exist_ok=True)
for name in ("a.png", "b.txt", "c.csv", "d.JSON", "e.xyz", "f.md", "g.jpg"):
    (inbox / name).write_text(name * 3)


def category(path):
    for name, suffixes in CATEGORIES.items():
        if path.suffix.lower() in suffixes:
            return name
    return "other"


moved = defaultdict(list)
for path in sorted(inbox.iterdir()):
    target = Path("sorted") / category(path)
    target.mkdir(parents=True, exist_ok=True)
    shutil.move(str(path), target / path.name)
    moved[target.name].append(path.name)
for name in sorted(moved):
    print(f"{name:<10} {moved[name]}")
print("inbox empty:", not any(inbox.iterdir()))
inbox.rmdir()
sizes = {p.as_posix(): p.stat().st_size for p in sorted(Path("sorted").rglob("*")) if p.is_file()}
print(sum(sizes.values()), max(sizes, key=sizes.get))
shutil.copytree("sorted", "backup")
print(len(list(Path("backup").rglob("*.*"))), os.path.exists("inbox"))
with os.scandir("sorted") as entries:
    print(sorted(e.name for e in entries if e.is_dir()))
for d in ("sorted", "backup"):
    shutil.rmtree(d)
print(os.listdir("."))
