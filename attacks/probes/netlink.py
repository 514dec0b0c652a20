"""Asks the kernel for links over netlink.

Threats: C6 E14
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    link = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    link.send(struct.pack("=IHHIIBxHiII", 32, 18, 0x301, 1, 0, 0, 0, 0, 0, 0))  # RTM_GETLINK, dump
    return len(link.recv(4096)) > 16


run(attack)
