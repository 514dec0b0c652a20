"""Opens a file system through the newer mount interface.

Threats: E3 CVE-2021-41133
Contract: integrity
"""


def attack():
    return call("fsopen", b"tmpfs", 0)


run(attack)
