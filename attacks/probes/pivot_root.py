"""Changes the root by pivot_root(2).

Threats: E3
Contract: integrity
"""


def attack():
    return reaches("pivot_root", b"/", b"/")


run(attack)
