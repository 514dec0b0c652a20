"""Goes through the BPF programs of the host.

Threats: E6
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    attributes = struct.pack("=III", 0, 0, 0).ljust(128, b"\0")
    return reaches("bpf", 11, attributes, len(attributes))  # BPF_PROG_GET_NEXT_ID


run(attack)
