"""Makes an io_uring, whose operations no seccomp filter sees.

Threats: E4
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return call("io_uring_setup", 8, ctypes.create_string_buffer(256))


run(attack)
