"""A callback throws into the generator that called it and reads its frame."""
import contextlib


@contextlib.contextmanager
def manager():
    yield


m = manager()
print("ESCAPED:callback_caller", m.gen.gi_frame)
