"""Opens a socket to the hypervisor.

Threats: C6 E14
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    return socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).fileno()


run(attack)
