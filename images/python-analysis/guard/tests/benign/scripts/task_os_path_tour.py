import os
import sys

base = os.path.join(os.getcwd(), "project")
os.makedirs(os.path.join(base, "src", "pkg"), exist_ok=True)
for rel in ("README.md", "src/main.py", "src/pkg/__init__.py", "src/pkg/util.py"):
    with open(os.path.join(base, *rel.split("/")), "w") as f:
        f.write(f"# {rel}\n")

for root, dirs, files in os.walk(base):
    dirs.sort()
    level = os.path.relpath(root, base).count(os.sep) + (root != base)
    print("  " * level + os.path.basename(root) + "/")
    for name in sorted(files):
        print("  " * (level + 1) + name)

path = os.path.join(base, "src", "main.py")
print(os.path.split(path)[1], os.path.splitext(path)[1], os.path.isabs(path), os.path.exists(path), os.path.getsize(path))
print(os.path.normpath("a/./b/../c"), os.path.commonprefix(["/usr/lib", "/usr/local"]), os.path.dirname("x/y/z.txt"))
print(sorted(os.listdir(base)), os.path.isdir(base), os.sep, repr(os.linesep))
os.rename(path, os.path.join(base, "src", "app.py"))
print(sorted(os.listdir(os.path.join(base, "src"))))
os.remove(os.path.join(base, "README.md"))
os.environ.setdefault("APP_MODE", "test")
print(os.environ.get("NOT_SET_VARIABLE", "default"), os.getenv("NOT_SET_EITHER"))
print(sys.version_info >= (3, 9), sys.maxsize > 2**32, os.name)
