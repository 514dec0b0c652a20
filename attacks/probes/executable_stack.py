"""Makes the stack executable.

Threats: E12
Contract: integrity
Held by: seccomp alone
"""


def attack():
    with open("/proc/self/maps", encoding="utf-8") as file:
        stack = next(line for line in file if line.rstrip().endswith("[stack]"))
    start, end = (int(part, 16) for part in stack.split()[0].split("-"))
    call("mprotect", start, end - start, 7)
    return stack.split()[0]


run(attack)
