from pathlib import Path, PurePosixPath

root = Path("site")
(root / "posts" / "2024").mkdir(parents=True, exist_ok=True)
(root / "posts" / "2024" / "hello.md").write_text("# Hello\n\nFirst post.\n")
(root / "posts" / "2024" / "second.md").write_text("# Second\n\nMore text here.\n")
(root / "index.html").write_text("<h1>Site</h1>")

for p in sorted(root.rglob("*")):
    print(("  " * (len(p.parts) - 1)) + p.name + ("/" if p.is_dir() else ""))

posts = sorted(root.glob("posts/**/*.md"))
for post in posts:
    title, *_ = post.read_text().splitlines()
    print(post.stem, post.suffix, post.parent.name, title.lstrip("# "), len(post.read_bytes()))
target = posts[0].with_name("renamed.md")
posts[0].rename(target)
print(target.exists(), posts[0].exists(), target.with_suffix(".html").as_posix())
p = PurePosixPath("/usr/local/lib/python3/site.py")
print(p.parts, p.parents[1], p.is_absolute(), p.relative_to("/usr"), p.match("*.py"))
print(Path("a") / "b" / ".." / "c", Path("x/y").joinpath("z").as_posix(), Path("archive.tar.gz").suffixes)
target.unlink()
try:
    target.read_text()
except FileNotFoundError as e:
    print("FileNotFoundError:", Path(e.filename).name)
print(sorted(q.name for q in (root / "posts/2024").iterdir()))
