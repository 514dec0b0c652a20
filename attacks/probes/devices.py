"""Opens a device besides null, zero, full, random, urandom and the terminal's.

Threats: I10
Contract: integrity
"""

HARMLESS = {(1, 3), (1, 5), (1, 7), (1, 8), (1, 9), (5, 0), (5, 2)}


def opens(path):
    status = os.lstat(path)
    if not (stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode)):
        return False
    if (os.major(status.st_rdev), os.minor(status.st_rdev)) in HARMLESS:
        return False
    os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY))
    return True


def attack():
    for directory, subdirectories, files in os.walk("/"):
        if directory == "/":
            subdirectories.remove("proc")
        found = first([os.path.join(directory, name) for name in files], opens)
        if found:
            return found
    return None


run(attack)
