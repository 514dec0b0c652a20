"""Changes how the kernel gives capabilities to root.

Threats: I9
Contract: integrity
"""


def attack():
    return call("prctl", 28, 1 << 6, 0, 0, 0) == 0  # PR_SET_SECUREBITS, SECBIT_NO_CAP_AMBIENT_RAISE


run(attack)
