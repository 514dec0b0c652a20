"""Finds shared memory that an earlier run has left.

Threats: C7 C8
Contract: confidentiality
Runs: 2
"""


def attack():
    key = 0x40000000 | hash_of(HOST["abstract"])
    try:
        segment = call("shmget", key, 4096, 0o600)
    except FileNotFoundError:
        call("shmget", key, 4096, 0o1600)  # IPC_CREAT
        return None
    LIBC.shmctl(segment, 0, None)  # IPC_RMID
    return segment


def hash_of(text):
    return sum(ord(letter) * (index + 1) for index, letter in enumerate(text)) & 0xFFFFFFF


run(attack)
