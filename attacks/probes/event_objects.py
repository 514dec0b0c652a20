"""Makes kernel objects for events, timers, signals and polling.

Threats: A6
Contract: availability
Held by: seccomp alone
"""


def attack():
    return any_of(
        lambda: call("eventfd2", 0, 0),
        lambda: call("timerfd_create", 1, 0),
        lambda: call("signalfd4", -1, bytes(8), 8, 0),
        lambda: call("epoll_create1", 0),
    )


run(attack)
