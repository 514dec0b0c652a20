"""Leaves processes of their own session that hold its streams.

Threats: A2 A4
Contract: availability
Ends: timed_out limit_exceeded
"""


def attack():
    for _ in range(4):
        if os.fork() == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            ignore_signals()
            time.sleep(3600)
    while True:
        time.sleep(3600)


run(attack)
