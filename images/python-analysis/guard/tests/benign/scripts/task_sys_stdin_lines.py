import sys


def solve(lines):
    n, *rest = lines
    return sum(map(int, rest[: int(n)]))


def main():
    data = sys.stdin.read().split() if not sys.stdin.isatty() else []
    if not data:
        data = ["3", "1", "2", "3"]
    print(solve(data))


main()
