import sys


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    threshold = float(argv[0]) if argv and argv[0][0].isdigit() else 120.0
    high = labs[labs["value"] > threshold]
    sys.stdout.write(f"{len(high)} above {threshold}\n")
    print("rows:", len(labs), file=sys.stderr)
    if sys.version_info < (3, 8):
        print("too old", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    print(sys.maxsize > 2**32, sys.float_info.epsilon < 1e-10, sys.byteorder in ("little", "big"))
    sys.stdout.flush()
    sys.exit(main())
