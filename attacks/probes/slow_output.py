"""Prints a little now and then, without end.

Threats: A7
Contract: availability
Ends: timed_out
"""


def attack():
    while True:
        print("alive", flush=True)
        time.sleep(0.2)


run(attack)
