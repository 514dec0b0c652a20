"""Makes a user namespace by unshare(2).

Threats: E1 CVE-2022-0185
Contract: integrity
Held by: seccomp alone
"""


def attack():
    call("unshare", 0x10000000)  # CLONE_NEWUSER
    return os.readlink("/proc/self/ns/user")


run(attack)
