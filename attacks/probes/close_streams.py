"""Closes its streams, so that it looks ended, and goes on.

Threats: A2 A7
Contract: availability
Ends: timed_out
"""


def attack():
    for number in (0, 1, 2):
        try:
            os.close(number)
        except OSError:
            continue
    while True:
        time.sleep(3600)


run(attack)
