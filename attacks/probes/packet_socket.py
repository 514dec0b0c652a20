"""Opens a socket that sees raw packets.

Threats: E14
Contract: confidentiality
"""


def attack():
    return socket.socket(socket.AF_PACKET, socket.SOCK_RAW).fileno()


run(attack)
