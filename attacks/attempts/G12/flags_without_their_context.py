"""The flags of a decimal context are a pointer into it: they go on with its memory where it has been freed."""
import decimal

kept = [decimal.Context(prec=n + 1).flags for n in range(200)]
memory = [b"A" * size for size in (16, 24, 32, 40, 48, 64, 72, 80, 88, 96, 112, 128) for _ in range(500)]
for flags in kept:
    for signal in flags:
        flags[signal] = not flags[signal]
print("ESCAPED:flags_without_their_context" if any(set(each) != {65} for each in memory) else "held")
