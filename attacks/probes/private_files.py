"""Reads a file of the image that is root's alone.

Threats: C1
Contract: confidentiality
"""


def private(path):
    status = os.lstat(path)
    if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o004:
        return False
    os.close(os.open(path, os.O_RDONLY))
    return True


def attack():
    for directory, files in walk_image():
        if directory.split("/")[1] in ("dev", "sys", "run", "tmp", "output"):
            continue
        found = first([os.path.join(directory, name) for name in files], private)
        if found:
            return found
    return None


run(attack)
