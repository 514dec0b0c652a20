"""Finds a file of the host in a shared-memory or message-queue directory.

Threats: C7
Contract: confidentiality
"""


def attack():
    return first(glob.glob("/dev/shm/*") + glob.glob("/dev/mqueue/*"), holds_secret)


run(attack)
