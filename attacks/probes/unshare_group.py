"""Makes a control group namespace by unshare(2).

Threats: E1 E2
Contract: integrity
"""


def attack():
    return call("unshare", 0x2000000) == 0


run(attack)
