"""Makes a host name namespace by unshare(2).

Threats: E1 E2
Contract: integrity
"""


def attack():
    return call("unshare", 0x4000000) == 0


run(attack)
