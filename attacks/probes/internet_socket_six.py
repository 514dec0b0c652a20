"""Opens a socket of IPv6.

Threats: C5 E14
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    return call("socket", socket.AF_INET6, socket.SOCK_DGRAM, 0)


run(attack)
