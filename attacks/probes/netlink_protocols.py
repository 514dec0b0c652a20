"""Talks to subsystems of the kernel over netlink: audit, netfilter, events.

Threats: C6 E14
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    return first((9, 12, 15, 6, 4, 10, 16), lambda protocol: call("socket", 16, 3, protocol) >= 0)


run(attack)
