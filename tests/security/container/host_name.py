"""Sets the host name.

Threats: E9
"""


def attack():
    socket.sethostname("planted")
    return socket.gethostname()


run(attack)
