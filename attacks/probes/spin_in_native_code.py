"""Never ends, in native code that lets no other thread run.

Threats: A1
Contract: availability
Ends: timed_out
"""


def attack():
    return max(range(10**18)) < 0


run(attack)
