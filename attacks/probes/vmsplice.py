"""Gives its own pages to a pipe.

Threats: I3 E17
Contract: integrity
Held by: seccomp alone
"""


def attack():
    reader, writer = os.pipe()
    page = ctypes.create_string_buffer(4096)
    vector = struct.pack("PN", ctypes.addressof(page), 4096)
    return call("vmsplice", writer, vector, 1, 0)


run(attack)
