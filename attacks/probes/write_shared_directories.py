"""Writes to a directory that is another channel: shared memory, message queues.

Threats: C7 E18 I10
Contract: confidentiality
"""


def creates(directory):
    path = os.path.join(directory, "hotcell-" + NAME)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    remove(path)
    return True


def attack():
    return first(["/dev/shm", "/dev/mqueue", "/run/lock", "/var/tmp", "/run"], creates)


run(attack)
