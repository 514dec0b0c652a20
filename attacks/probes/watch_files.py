"""Watches what others open.

Threats: E18
Contract: confidentiality
"""


def attack():
    return call("fanotify_init", 0, os.O_RDONLY)


run(attack)
