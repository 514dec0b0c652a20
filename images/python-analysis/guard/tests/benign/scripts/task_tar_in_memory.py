import tarfile, io
buf = io.BytesIO()
with tarfile.open(fileobj=buf, mode="w:gz") as tar:
    data = b"id,dose\n1,5\n"
    info = tarfile.TarInfo("batch/rows.csv"); info.size = len(data); info.mtime = 1700000000
    tar.addfile(info, io.BytesIO(data))
buf.seek(0)
with tarfile.open(fileobj=buf, mode="r:gz") as tar:
    print(tar.getnames())
    for m in tar.getmembers():
        print(m.name, m.size, m.isfile(), m.isdir(), oct(m.mode), m.mtime)
        print(tar.extractfile(m).read().decode())
    print([m.name for m in tar])
    print(tarfile.is_tarfile(buf) if False else "ok")
