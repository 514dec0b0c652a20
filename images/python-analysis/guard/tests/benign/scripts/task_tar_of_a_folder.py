import tarfile, os
os.makedirs("inbox", exist_ok=True)
for n in "ab":
    with open(f"inbox/{n}.txt", "w") as f: f.write(n * 3)
with tarfile.open("pack.tar.gz", "w:gz") as t:
    t.add("inbox", arcname="packed")
with tarfile.open("pack.tar.gz") as t:
    print(sorted(t.getnames()))
    t.extractall("outbox", filter="data")
print(sorted(os.listdir("outbox/packed")), open("outbox/packed/a.txt").read())
print(tarfile.is_tarfile("pack.tar.gz"))
try:
    tarfile.open("inbox/a.txt")
except tarfile.ReadError as e:
    print("not a tar:", e)
