"""Opens an internet socket.

Threats: C5 E14
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM).fileno()


run(attack)
