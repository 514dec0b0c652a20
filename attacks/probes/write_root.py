"""Creates a file in a directory of the image.

Threats: I1
Contract: integrity
"""


def creates(directory):
    path = os.path.join(directory, "hotcell-planted")
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(path)
    return True


def attack():
    writable = ("/proc", "/tmp", "/output")
    for directory, subdirectories, _ in os.walk("/"):
        subdirectories[:] = [name for name in subdirectories if os.path.join(directory, name) not in writable]
        if first([directory], creates):
            return directory
    return None


run(attack)
