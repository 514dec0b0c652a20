"""Starts more processes than it may.

Threats: A4
Contract: availability
Ends: limit_exceeded
"""


def attack():
    children = []
    try:
        while len(children) <= LIMITS["PIDs"]:
            child = os.fork()
            if child == 0:
                time.sleep(60)
                os._exit(0)
            children.append(child)
        return f"{len(children)} processes"
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


run(attack)
