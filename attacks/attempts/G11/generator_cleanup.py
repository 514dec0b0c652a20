"""A generator that is closed when the interpreter ends.

Selected: yes
"""


def g():
    try:
        yield 1
    finally:
        print("ESCAPED:generator_cleanup")


kept = g()
next(kept)
