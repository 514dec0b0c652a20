"""Blocks every signal in every thread and waits for one.

Threats: A2
Contract: availability
Ends: timed_out
"""


def attack():
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        time.sleep(3600)


run(attack)
