"""Makes a user namespace by clone3(2), whose flags no filter can see.

Threats: E1 CVE-2021-41133
Contract: integrity
Held by: seccomp alone
"""


def attack():
    arguments = struct.pack("=11Q", 0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)
    child = call("clone3", arguments, len(arguments))
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child


run(attack)
