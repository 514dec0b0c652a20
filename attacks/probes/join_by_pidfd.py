"""Joins the namespaces of a process through its pidfd.

Threats: E2
Contract: integrity
"""


def attack():
    call("setns", call("pidfd_open", os.getpid(), 0), 0x04000000)
    return "uts"


run(attack)
