import platform
import sys

print("Python major version:", sys.version_info.major, sys.version_info[:1])
print("implementation:", platform.python_implementation(), sys.byteorder, sys.maxsize == 2**63 - 1)
print("float:", sys.float_info.max > 1e308, sys.float_info.epsilon, sys.getsizeof([]) > 0)
print("recursion limit at least 500:", sys.getrecursionlimit() >= 500)
print("arguments:", len(sys.argv) >= 1, "encoding:", sys.getdefaultencoding())


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    if not argv:
        print("usage: script NAME [--shout]")
        return 2
    name = argv[0].upper() if "--shout" in argv else argv[0]
    print(f"Hello, {name}!")
    return 0


codes = [main([]), main(["Ann"]), main(["Bob", "--shout"])]
print(codes)
try:
    sys.exit("fatal: nothing to do")
except SystemExit as e:
    print("caught:", e.code)
try:
    raise SystemExit(3)
except SystemExit as e:
    print("code", e.code)
try:
    raise ValueError("x")
except ValueError:
    kind, value, tb = sys.exc_info()
    print(kind.__name__, value)
if __name__ == "__main__":
    sys.exit(main(["World"]))
