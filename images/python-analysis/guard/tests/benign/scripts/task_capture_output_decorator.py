import io
import sys
from contextlib import redirect_stdout
from functools import wraps


def capture(func):
    @wraps(func)
    def inner(*args, **kwargs):
        old = sys.stdout
        sys.stdout = buffer = io.StringIO()
        try:
            result = func(*args, **kwargs)
        finally:
            sys.stdout = old
        return result, buffer.getvalue()
    return inner


class Tee:
    def __init__(self, *streams):
        self.streams = streams

    def write(self, text):
        for s in self.streams:
            s.write(text)
        return len(text)

    def flush(self):
        for s in self.streams:
            s.flush()


@capture
def noisy(x):
    print("computing", x)
    return x * 2


print(noisy(21))
log = io.StringIO()
sys.stdout = Tee(sys.__stdout__, log)
print("seen twice")
sys.stdout = sys.__stdout__
print(repr(log.getvalue()))
with redirect_stdout(io.StringIO()) as f:
    help_text = "x"
    print(help_text)
print(f.getvalue().strip())
