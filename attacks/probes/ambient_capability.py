"""Makes a capability pass to the programs that it starts.

Threats: I9 CVE-2022-24769
Contract: integrity
"""


def attack():
    return call("prctl", 47, 2, 13, 0, 0) == 0  # PR_CAP_AMBIENT_RAISE, CAP_NET_RAW


run(attack)
