#!/usr/bin/env python3
"""A small unit converter with subcommands."""
import argparse
import sys
from typing import Callable

FACTORS: dict[str, dict[str, float]] = {
    "length": {"m": 1.0, "km": 1000.0, "ft": 0.3048, "mi": 1609.344},
    "mass": {"kg": 1.0, "g": 0.001, "lb": 0.45359237},
}


def convert(args: argparse.Namespace) -> int:
    for kind, table in FACTORS.items():
        if args.source in table and args.target in table:
            value = args.value * table[args.source] / table[args.target]
            print(f"{args.value:g} {args.source} = {value:.{args.digits}f} {args.target} ({kind})")
            return 0
    print(f"cannot convert {args.source} to {args.target}", file=sys.stderr)
    return 2


def listing(args: argparse.Namespace) -> int:
    for kind in args.kinds or sorted(FACTORS):
        print(f"{kind}: {', '.join(FACTORS[kind])}")
    return 0


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="units", description=__doc__)
    parser.add_argument("--version", action="version", version="%(prog)s 1.2")
    sub = parser.add_subparsers(dest="command", required=True)
    conv = sub.add_parser("convert", help="convert a value")
    conv.add_argument("value", type=float)
    conv.add_argument("source")
    conv.add_argument("target")
    conv.add_argument("-d", "--digits", type=int, default=3, choices=range(0, 9), metavar="N")
    conv.set_defaults(func=convert)
    lst = sub.add_parser("list", help="list the units")
    lst.add_argument("kinds", nargs="*")
    lst.set_defaults(func=listing)
    return parser


def main(argv: list[str] | None = None) -> int:
    args = build_parser().parse_args(argv)
    handler: Callable[[argparse.Namespace], int] = args.func
    return handler(args)


if __name__ == "__main__":
    argv = sys.argv[1:] or ["convert", "26.2", "mi", "km"]
    code = main(argv)
    main(["list"])
    main(["convert", "3", "lb", "g", "-d", "1"])
    try:
        main(["convert", "x", "m", "km"])
    except SystemExit as exc:
        print("exit code", exc.code)
    print(build_parser().format_usage().strip())
    sys.exit(code)
