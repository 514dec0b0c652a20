"""Opens a file through the descriptors of another process.

Threats: C2
Contract: confidentiality
"""


def attack():
    def reachable(pid):
        return os.listdir(f"/proc/{pid}/fd")

    return first(foreign(), reachable)


run(attack)
