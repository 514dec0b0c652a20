"""Opens a local socket.

Threats: C6 E14
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    return socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).fileno()


run(attack)
