"""Finds a file of the image that gives rights to who executes it.

Threats: I9 E24
Contract: integrity
"""


def gives_rights(path):
    status = os.lstat(path)
    if not stat.S_ISREG(status.st_mode):
        return False
    if status.st_mode & (stat.S_ISUID | stat.S_ISGID):
        return True
    return "security.capability" in os.listxattr(path, follow_symlinks=False)


def attack():
    for directory, subdirectories, files in os.walk("/"):
        if directory == "/":
            subdirectories.remove("proc")
        found = first([os.path.join(directory, name) for name in files], gives_rights)
        if found:
            return found
    return None


run(attack)
