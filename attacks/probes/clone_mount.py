"""Clones a mount as a descriptor.

Threats: E3
Contract: integrity
"""


def attack():
    return call("open_tree", -100, b"/", 1)  # AT_FDCWD, OPEN_TREE_CLONE


run(attack)
