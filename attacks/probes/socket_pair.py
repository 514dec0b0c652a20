"""Makes a pair of sockets, over which descriptors can be passed.

Threats: C6 E14
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    return [end.fileno() for end in socket.socketpair()]


run(attack)
