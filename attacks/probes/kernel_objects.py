"""Finds anything in /sys.

Threats: E21
Contract: confidentiality
"""


def attack():
    return os.listdir("/sys") or None


run(attack)
