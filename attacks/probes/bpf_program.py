"""Loads a BPF program.

Threats: E6
Contract: integrity
Held by: seccomp alone
"""


def attack():
    code = struct.pack("=BBhiBBhi", 0xB7, 0, 0, 0, 0x95, 0, 0, 0)  # r0 = 0; exit
    code, license = ctypes.create_string_buffer(code), ctypes.create_string_buffer(b"GPL")
    attributes = struct.pack("=IIQQ", 1, 2, ctypes.addressof(code), ctypes.addressof(license)).ljust(128, b"\0")
    return call("bpf", 5, attributes, len(attributes))


run(attack)
