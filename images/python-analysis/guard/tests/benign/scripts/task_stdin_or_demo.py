"""Word count of standard input, or of a sample when nothing is piped in."""
import argparse
import sys
from collections import Counter

SAMPLE = "to be or not to be that is the question"


def parse_args(argv=None):
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("files", nargs="*", help="files to read")
    p.add_argument("-n", "--top", type=int, default=3)
    return p.parse_args(argv)


def read(files):
    if files:
        for name in files:
            with open(name, encoding="utf-8") as f:
                yield from f
    elif not sys.stdin.isatty():
        data = sys.stdin.read()
        yield data if data.strip() else SAMPLE
    else:
        yield SAMPLE


def main():
    args = parse_args([])
    counts = Counter(w for line in read(args.files) for w in line.lower().split())
    width = max(map(len, counts))
    for word, n in counts.most_common(args.top):
        sys.stdout.write(f"{word:<{width}} {'#' * n} {n}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
