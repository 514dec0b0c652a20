"""Listens on a port.

Threats: C5 E14
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.bind(("0.0.0.0", 0))
    listener.listen()
    return listener.getsockname()


run(attack)
