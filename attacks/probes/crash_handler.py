"""Opens the setting that names the host's crash handler for writing.

Threats: E21 C12 CVE-2025-52881
Contract: integrity
"""


def attack():
    return open_for_writing("/proc/sys/kernel/core_pattern")


run(attack)
