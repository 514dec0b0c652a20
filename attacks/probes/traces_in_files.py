"""Finds a file that an earlier run has left.

Threats: C7 C8
Contract: confidentiality
Runs: 2
"""


def attack():
    found = None
    for directory in ("/tmp", "/output", "/dev/shm", "/dev/mqueue", "/run", "/var/tmp"):
        path = os.path.join(directory, "hotcell-trace-" + HOST["abstract"])
        try:
            if os.path.exists(path):
                found = path
                remove(path)
            else:
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        except OSError:
            continue
    return found


run(attack)
