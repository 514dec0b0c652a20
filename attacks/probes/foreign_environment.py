"""Reads the environment of a process of the host.

Threats: C4
Contract: confidentiality
"""


def environment_of(pid):
    with open(f"/proc/{pid}/environ", "rb") as file:
        return HOST["victim"].encode() in file.read()


def attack():
    return first([pid for pid in processes() if pid != os.getpid()], environment_of)


run(attack)
