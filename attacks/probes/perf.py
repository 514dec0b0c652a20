"""Opens a performance counter of the kernel.

Threats: E6
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    attributes = struct.pack("=IIQ", 1, 128, 0).ljust(128, b"\0")  # PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK
    return call("perf_event_open", attributes, 0, -1, -1, 0)


run(attack)
