"""Walks from an allowed module to os by names that are built at run time.

Selected: yes
"""
import statistics


def walk(value, *names):
    for name in names:
        value = getattr(value, name)
    return value


print("ESCAPED:getattr_walk", walk(statistics, "".join(["s", "ys"]), "mod" + "ules")["os"].getpid())
