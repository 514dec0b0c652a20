import argparse
import shlex


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="convert", description="Convert temperatures.")
    parser.add_argument("values", nargs="+", type=float)
    parser.add_argument("-f", "--from", dest="source", choices=["c", "f", "k"], default="c")
    parser.add_argument("-t", "--to", dest="target", choices=["c", "f", "k"], default="f")
    parser.add_argument("-p", "--precision", type=int, default=1)
    parser.add_argument("-v", "--verbose", action="store_true")
    return parser


def convert(value, source, target):
    celsius = {"c": lambda v: v, "f": lambda v: (v - 32) * 5 / 9, "k": lambda v: v - 273.15}[source](value)
    return {"c": celsius, "f": celsius * 9 / 5 + 32, "k": celsius + 273.15}[target]


def main(argv):
    args = build_parser().parse_args(argv)
    for v in args.values:
        out = convert(v, args.source, args.target)
        text = f"{out:.{args.precision}f}"
        print(f"{v} {args.source} = {text} {args.target}" if args.verbose else text)
    return 0


for line in ("0 100 37.5", "-f f -t c 32 212 -v", "--from k --to c 0 --precision 2"):
    main(shlex.split(line))
try:
    main(["--to", "x", "1"])
except SystemExit as e:
    print("exit code", e.code)
