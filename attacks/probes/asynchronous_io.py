"""Makes a context for asynchronous input and output.

Threats: A6
Contract: availability
Held by: seccomp alone
"""


def attack():
    context = ctypes.c_ulong()
    return call("io_setup", 1, ctypes.byref(context)) == 0


run(attack)
