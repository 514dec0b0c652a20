"""Stops itself, so that it cannot be asked to end.

Threats: A2
Contract: availability
Ends: timed_out
"""


def attack():
    try:
        os.kill(os.getpid(), signal.SIGSTOP)
    except OSError:
        pass  # refused: what follows must be ended all the same
    while True:
        time.sleep(3600)


run(attack)
