"""Reads what should be masked in /proc and /sys.

Threats: E21 C3 CVE-2019-16884
Contract: confidentiality
"""

MASKED = ("keys", "latency_stats", "timer_list", "timer_stats", "sched_debug", "interrupts", "acpi", "scsi", "asound")


def reads(path):
    if os.path.isdir(path):
        return bool(os.listdir(path))
    with open(path, "rb") as file:
        return bool(file.read(16))


def attack():
    return first([f"/proc/{name}" for name in MASKED] + ["/sys/firmware", "/sys/kernel", "/sys/class"], reads)


run(attack)
