"""Opens a socket of the kernel's crypto interface.

Threats: C6 I3 CVE-2026-31431
Contract: confidentiality
Held by: seccomp alone
Unproven: a kernel may be built without it
"""


def attack():
    crypto = socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)
    return crypto.fileno()


run(attack)
