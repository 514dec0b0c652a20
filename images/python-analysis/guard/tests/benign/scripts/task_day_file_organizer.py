import fnmatch
import glob
import os
import shutil
import sys
import tempfile
from pathlib import Path

RULES = {"images": ["*.png", "*.jpg"], "tables": ["*.csv", "*.tsv"], "text": ["*.txt", "*.md"]}


def category(name: str) -> str:
    for folder, patterns in RULES.items():
        if any(fnmatch.fnmatch(name.lower(), p) for p in patterns):
            return folder
    return "other"


def organise(folder: Path, dry_run: bool = False) -> dict:
    moved = {}
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.name.startswith("."):
            continue
        target = folder / category(path.name) / path.name
        moved[path.name] = target.parent.name
        if not dry_run:
            target.parent.mkdir(exist_ok=True)
            shutil.move(str(path), str(target))
    return moved


def tree(root):
    for current, dirs, files in os.walk(root):
        dirs.sort()
        depth = os.path.relpath(current, root).count(os.sep) + (current != str(root))
        print("  " * depth + os.path.basename(current) + "/" if depth else ".")
        for f in sorted(files):
            print("  " * (depth + 1) + f)


def main():
    with tempfile.TemporaryDirectory() as tmp:
        base = Path(tmp)
        for name in ["a.png", "B.JPG", "data.csv", "notes.md", "run.log", ".hidden"]:
            (base / name).write_text(name * 3)
        print(organise(base, dry_run=True))
        organise(base)
        tree(base)
        print(sorted(os.path.relpath(p, tmp) for p in glob.glob(os.path.join(tmp, "**", "*.*"), recursive=True)))
        total = sum(p.stat().st_size for p in base.rglob("*") if p.is_file())
        print("bytes:", total, "suffixes:", sorted({p.suffix.lower() for p in base.rglob("*.*") if p.suffix}))
        shutil.copytree(base / "text", base / "backup")
        shutil.rmtree(base / "other")
        print(sorted(e.name for e in os.scandir(tmp) if e.is_dir()))
        with (base / "backup" / "notes.md").open("a") as f:
            f.write("\nmore")
        print((base / "backup" / "notes.md").read_text().splitlines()[-1], os.path.splitext("x.tar.gz"), os.path.commonpath(["/a/b", "/a/c"]))
    print(os.path.exists(tmp))
    return 0


if __name__ == "__main__":
    sys.exit(main())
