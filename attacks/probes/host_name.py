"""Sets the host name.

Threats: E9
Contract: integrity
"""


def attack():
    socket.sethostname("planted")
    return socket.gethostname()


run(attack)
