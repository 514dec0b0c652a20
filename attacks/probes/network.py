"""Connects to a port of the host.

Threats: C5
Contract: confidentiality
"""


def attack():
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    connection.settimeout(5)
    connection.connect(("127.0.0.1", HOST["tcp_port"]))
    return "connected"


run(attack)
