"""Sets the clock, to the time that it has.

Threats: E9 I12
Contract: integrity
"""


def attack():
    now = time.clock_gettime_ns(time.CLOCK_REALTIME)
    call("clock_settime", 0, struct.pack("=qq", now // 10**9, now % 10**9))
    return "CLOCK_REALTIME"


run(attack)
