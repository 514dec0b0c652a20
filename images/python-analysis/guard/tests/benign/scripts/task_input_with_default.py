import os
import sys


def ask(prompt, default):
    """Ask, or take the default where nobody can answer."""
    if os.environ.get("INTERACTIVE") == "1":
        return input(prompt) or default
    print(f"{prompt}{default}")
    return default


def guess_number(secret, strategy):
    low, high, tries = 1, 100, 0
    while True:
        tries += 1
        g = strategy(low, high)
        if g == secret:
            return tries
        if g < secret:
            low = g + 1
        else:
            high = g - 1


name = ask("Your name? ", "stranger")
level = int(ask("Level (1-3)? ", "2"))
print(f"Hello {name}, level {level}")
print("bisect:", guess_number(73, lambda lo, hi: (lo + hi) // 2), "linear:", guess_number(73, lambda lo, hi: lo))
config = {"home": os.environ.get("APP_HOME_DIR", "/opt/app"), "workers": int(os.getenv("APP_WORKERS", "4")), "cpus": (os.cpu_count() or 1) >= 1}
print(config)
print("interactive:", sys.stdin is not None and level == 9, file=sys.stderr)
