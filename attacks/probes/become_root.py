"""Takes uid 0.

Threats: I9
Contract: integrity
"""


def attack():
    os.setresuid(0, 0, 0)
    return os.geteuid() == 0


run(attack)
