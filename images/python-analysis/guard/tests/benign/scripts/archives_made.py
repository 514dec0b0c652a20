"""Reports packed into archives and unpacked again."""
import os
import shutil
import tarfile
import zipfile
from pathlib import Path

reports = Path("reports")
(reports / "north" / "empty").mkdir(parents=True)
(reports / "north" / "may.txt").write_text("wells: 3\n")
(reports / "south.txt").write_text("wells: 1\n" * 40)

made = shutil.make_archive("all_reports", "zip", "reports")
print(os.path.basename(made), os.path.isabs(made))
with zipfile.ZipFile(made) as archive:
    print(sorted(archive.namelist()), archive.read("north/may.txt"), archive.testzip())
print(shutil.make_archive("packed/tree", "gztar", root_dir=".", base_dir="reports").endswith("packed/tree.tar.gz"))
with tarfile.open("packed/tree.tar.gz") as archive:
    print(sorted(archive.getnames()), archive.extractfile("reports/south.txt").readline())
print(shutil.make_archive("plain", "zip", base_dir="reports"))
shutil.unpack_archive("plain.zip", "again")
shutil.unpack_archive("packed/tree.tar.gz", "again/tar")
print(sorted(str(path.relative_to("again")) for path in Path("again").rglob("*")))
for call in (
    lambda: shutil.make_archive("x", "rar", "reports"),
    lambda: shutil.make_archive("x", "zip", "nowhere"),
    lambda: shutil.make_archive("x", "zip", "reports/south.txt"),
    lambda: shutil.unpack_archive("reports/south.txt"),
):
    try:
        print(call())
    except (OSError, ValueError) as error:
        print(type(error).__name__)
shutil.rmtree("again")
for name in ("all_reports.zip", "plain.zip"):
    os.remove(name)
shutil.rmtree("packed")
