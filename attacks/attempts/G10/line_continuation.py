"""A backslash inside a name's dotted path."""
import statistics

print("ESCAPED:line_continuation", statistics \
    . \
    sys . modules["os"].getpid())
