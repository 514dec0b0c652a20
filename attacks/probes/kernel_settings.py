"""Opens a setting of the kernel for writing.

Threats: E21 CVE-2025-52881
Contract: integrity
"""


def attack():
    for top in ("/proc/sys", "/proc/irq", "/proc/bus", "/proc/fs", "/sys"):
        for directory, _, files in os.walk(top):
            found = first([os.path.join(directory, name) for name in files], open_for_writing)
            if found:
                return found
    return first(["/proc/sysrq-trigger"], open_for_writing)


run(attack)
