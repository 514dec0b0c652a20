"""Connects to an abstract socket of the host.

Threats: C6 CVE-2020-15257
Contract: confidentiality
"""


def attack():
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect("\0" + HOST["abstract"])
    return "connected"


run(attack)
