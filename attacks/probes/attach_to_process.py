"""Attaches to a process to control it.

Threats: E7 I5
Contract: integrity
Held by: seccomp alone
"""


def attack():
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
    try:
        return call("ptrace", 0x4206, child, 0, 0) == 0 and child  # PTRACE_SEIZE
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


run(attack)
