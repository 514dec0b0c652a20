"""Lists a directory outside by the functions of os and glob, with and without dots."""
import glob
import os

OUT = "@OUTSIDE@"
for found in (
    lambda: os.listdir(OUT),
    lambda: os.listdir(os.path.join(str(OUTPUT), *[".."] * 30, OUT.lstrip("/"))),
    lambda: [entry.name for entry in os.scandir(OUT)],
    lambda: [name for _, _, names in os.walk(OUT) for name in names],
    lambda: glob.glob(OUT + "/*"),
    lambda: glob.glob("*", root_dir=OUT),
    lambda: glob.glob("/**/canary.txt", root_dir=OUT, recursive=True),
):
    try:
        names = found()
    except OSError:
        continue
    if any("canary.txt" in name for name in names):
        print("ESCAPED:listing_by_os", names)
        break
