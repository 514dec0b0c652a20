"""Reaches the call that makes the kernel write a file about each process.

Threats: E9
Contract: integrity
"""


def attack():
    return reaches("acct", b"/hotcell-absent")


run(attack)
