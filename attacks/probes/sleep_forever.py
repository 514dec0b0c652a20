"""Never ends, and does nothing.

Threats: A2
Contract: availability
Ends: timed_out
"""


def attack():
    while True:
        time.sleep(3600)


run(attack)
