"""Reads the kernel's log.

Threats: C3
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    size = call("syslog", 10, None, 0)  # SYSLOG_ACTION_SIZE_BUFFER
    buffer = ctypes.create_string_buffer(size)
    return call("syslog", 3, buffer, size) > 0  # SYSLOG_ACTION_READ_ALL


run(attack)
