"""Asks for the handle of a file.

Threats: E10
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    handle, mount = ctypes.create_string_buffer(struct.pack("=Ii", 0, 0) + bytes(128)), ctypes.c_int()
    return reaches("name_to_handle_at", -100, b"/tmp", handle, ctypes.byref(mount), 0)


run(attack)
