"""The stream that the guard flushes at the end is the script's."""
import contextlib


class Stream:
    def write(self, text):
        return len(text)

    def flush(self):
        original.write("ESCAPED:stdout_replaced\n")


redirect = contextlib.redirect_stdout(Stream())
import statistics

original = statistics.sys.stdout
redirect.__enter__()
