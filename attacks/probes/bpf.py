"""Makes a BPF map.

Threats: E6
Contract: integrity
Held by: seccomp alone
"""


def attack():
    attributes = struct.pack("=IIIII", 2, 4, 4, 1, 0).ljust(128, b"\0")  # BPF_MAP_TYPE_ARRAY
    return call("bpf", 0, attributes, len(attributes))


run(attack)
