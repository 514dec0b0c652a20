"""Makes a user namespace by clone(2).

Threats: E1 CVE-2022-0185
Contract: integrity
Held by: seccomp alone
"""


def attack():
    child = call("clone", 0x10000000 | 17, 0, 0, 0, 0)  # CLONE_NEWUSER | SIGCHLD
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child


run(attack)
