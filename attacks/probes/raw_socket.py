"""Opens a raw internet socket.

Threats: C5 E14
Contract: confidentiality
"""


def attack():
    return socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).fileno()


run(attack)
