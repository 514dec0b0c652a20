import os
import shutil
import tempfile
from pathlib import Path, PurePosixPath


def load_env(text):
    for line in text.splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            k, _, v = line.partition("=")
            os.environ.setdefault(k.strip(), v.strip().strip('"'))


load_env('# c\nAPP_MODE=test\nAPP_NAME="demo app"\n')
print(os.environ["APP_MODE"], os.getenv("APP_NAME"), os.environ.get("NOPE", "x"), "APP_MODE" in os.environ)
base = Path(tempfile.mkdtemp(prefix="proj_"))
try:
    (base / "src" / "pkg").mkdir(parents=True, exist_ok=True)
    for name in ("a.py", "b.py", "c.txt"):
        (base / "src" / name).write_text(f"# {name}\n")
    print(sorted(p.name for p in base.glob("**/*.py")), [p.relative_to(base).as_posix() for p in sorted(base.rglob("*")) if p.is_file()])
    p = base / "src" / "a.py"
    print(p.stem, p.suffix, p.parent.name, p.with_suffix(".bak").name, p.with_name("z.py").name, p.exists(), p.is_dir(), p.stat().st_size)
    p.rename(base / "renamed.py"); shutil.copy2(base / "renamed.py", base / "copy.py"); shutil.move(str(base / "copy.py"), str(base / "moved.py"))
    print(sorted(os.listdir(base)), os.path.splitext("x.tar.gz"), os.path.commonpath(["/a/b", "/a/c"]), os.path.relpath("/a/b/c", "/a"))
    for root, dirs, files in os.walk(base):
        dirs.sort()
        print(os.path.relpath(root, base), sorted(files))
    with os.scandir(base) as it: print(sorted((e.name, e.is_file()) for e in it))
    print(PurePosixPath("/a/../b").parts, Path("x") / "y" / ".." , Path("a/b.txt").match("*.txt"), Path.cwd() == Path(os.getcwd()), Path("~").expanduser() != Path("~"))
    (base / "log.txt").write_text("one\n"); 
    with (base / "log.txt").open("a") as f: f.write("two\n"); print(f.name.endswith("log.txt"), f.mode, f.closed)
    print((base / "log.txt").read_text().split(), os.path.getsize(base / "log.txt"))
    (base / "src" / "c.txt").unlink(); (base / "nope").unlink(missing_ok=True)
    try: (base / "nope").read_text()
    except FileNotFoundError as e: print(type(e).__name__, e.errno, e.strerror)
    try: os.rmdir(base / "src")
    except OSError as e: print("not empty", e.errno is not None)
finally:
    shutil.rmtree(base, ignore_errors=True)
print(base.exists())
