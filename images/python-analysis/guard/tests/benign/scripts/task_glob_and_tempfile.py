import glob
import os
import shutil
import tempfile

with tempfile.TemporaryDirectory() as tmp:
    for i in range(3):
        with open(os.path.join(tmp, f"data_{i}.csv"), "w") as f:
            f.write(f"id,value\n{i},{i * i}\n")
    with open(os.path.join(tmp, "notes.txt"), "w") as f:
        f.write("hello")
    files = sorted(glob.glob(os.path.join(tmp, "*.csv")))
    print([os.path.basename(f) for f in files])
    total = 0
    for name in files:
        with open(name) as f:
            next(f)
            total += sum(int(line.split(",")[1]) for line in f)
    print("total:", total)
    shutil.copy(os.path.join(tmp, "notes.txt"), os.path.join(str(OUTPUT), "notes_copy.txt"))
    kept = tmp
print("temporary directory gone:", not os.path.exists(kept))

with tempfile.NamedTemporaryFile("w+", suffix=".txt", delete=True) as tf:
    tf.write("line 1\nline 2\n")
    tf.seek(0)
    print(tf.readlines(), tf.name.endswith(".txt"))

os.makedirs("backup/2024", exist_ok=True)
shutil.copy("notes_copy.txt", "backup/2024/")
shutil.move("backup/2024/notes_copy.txt", "backup/moved.txt")
print(sorted(os.listdir("backup")), glob.glob("backup/**/*.txt", recursive=True))
shutil.rmtree("backup")
print(os.path.exists("backup"))
