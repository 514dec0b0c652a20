"""Never ends, in a regular expression.

Threats: A1
Contract: availability
Ends: timed_out
"""


import re


def attack():
    return re.match(r"(a|a)*$", "a" * 60 + "b")


run(attack)
