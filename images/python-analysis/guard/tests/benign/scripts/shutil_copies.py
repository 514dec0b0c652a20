import os
import shutil
from pathlib import Path

work = Path(OUTPUT) / "work"
work.mkdir(exist_ok=True)
shutil.copy(DATA / "labs.csv", work)
shutil.copyfile(DATA / "visits.csv", work / "visits_copy.csv")
shutil.copy2(work / "labs.csv", work / "labs_backup.csv")
print(sorted(p.name for p in work.iterdir()))
shutil.copytree(work, OUTPUT / "final", dirs_exist_ok=True, ignore=shutil.ignore_patterns("*_backup*"))
print(sorted(os.listdir(OUTPUT / "final")))
moved = shutil.move(str(work / "labs_backup.csv"), str(OUTPUT / "labs_old.csv"))
print(os.path.basename(moved), (OUTPUT / "labs_old.csv").stat().st_size == (DATA / "labs.csv").stat().st_size)
if os.path.exists(work):
    shutil.rmtree(work)
shutil.rmtree(OUTPUT / "not_there", ignore_errors=True)
print(sorted(os.listdir(OUTPUT)))
try:
    shutil.copy(OUTPUT / "missing.csv", OUTPUT / "x.csv")
except FileNotFoundError:
    print("no such file")
