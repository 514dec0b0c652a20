"""A context manager's generator in a default argument of a method."""
import contextlib


@contextlib.contextmanager
def manager():
    try:
        yield
    finally:
        print("ESCAPED:exit_stack_cleanup")


class A:
    held = manager()
    held.__enter__()
