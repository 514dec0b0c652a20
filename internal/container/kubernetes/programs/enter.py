"""Becomes a sandbox's command, with the limits and the environment that it is to have.

A container's environment has the cluster's addresses in it, and Kubernetes has no way to ask
for a process's limits. They are set hard: nothing in the sandbox can raise them again.

What comes first on its stdin goes back as the first of its stdout, so that the runner knows
that a node has both open. A node that is told of the end of a stdin which it has not opened
yet would never pass it on.
"""

import _thread
import json
import os
import resource
import sys

MOST_OTHERS = 1024
GREETING = b"\n"


def starts():
    """Tell whether the kernel lets this process have one thread more."""
    over = _thread.allocate_lock()
    over.acquire()
    try:
        _thread.start_new_thread(over.release, ())
    except RuntimeError:
        return False
    over.acquire()
    return True


def others():
    """Return how many of this user's tasks in the pod are not this process.

    The kernel counts them for the user and its namespace: in the keeper, in the pod's own
    first container, and in this one. Only the limit tells how many there are: a thread
    starts with as many allowed as there are tasks, and it.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NPROC)
    for allowed in range(2, MOST_OTHERS):
        resource.setrlimit(resource.RLIMIT_NPROC, (allowed, most))
        if starts():
            return allowed - 2
    sys.exit("more processes of the sandbox's user are in its pod than belong there")


def greet():
    if os.read(0, len(GREETING)) != GREETING or os.write(1, GREETING) != len(GREETING):
        sys.exit("the stdin of the sandbox's command does not begin as the runner's do")


def main():
    greet()
    asked = json.loads(sys.argv[1])
    for name, value in asked["limits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    if asked["processes"]:
        most = others() + asked["processes"]
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    os.closerange(3, 1 << 16)
    os.chdir("/")
    os.umask(0o022)
    environment = dict(variable.split("=", 1) for variable in asked["environment"])
    os.execve(asked["command"][0], asked["command"], environment)


main()
