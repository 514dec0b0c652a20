import os
import sys
import platform
import importlib
import importlib.util
import time

print("Python", sys.version_info[:2], platform.python_implementation(), sys.byteorder)
print("cwd is dir:", os.path.isdir(os.getcwd()))
REQUIRED = ["numpy", "pandas", "matplotlib", "torchvision_x", "yaml"]
for name in REQUIRED:
    spec = importlib.util.find_spec(name)
    status = "ok" if spec is not None else "MISSING"
    print(f"{name:<15}{status}")
for name in REQUIRED:
    try:
        mod = importlib.import_module(name)
    except ImportError as exc:
        print("cannot import", name)
    else:
        print(name, hasattr(mod, "__version__"), mod.__name__)
debug = os.environ.get("DEBUG", "0") == "1"
level = int(os.getenv("VERBOSITY", 2))
print(debug, level, "HOME" in os.environ or True, os.sep, os.linesep.encode(), os.extsep)
IN_NOTEBOOK = "ipykernel" in sys.modules
IN_COLAB = "google.colab" in sys.modules
print(IN_NOTEBOOK, IN_COLAB, "numpy" in sys.modules, __name__ == "__main__", sys.argv[1:])
start = time.perf_counter()
total = sum(i * i for i in range(10000))
print(total, time.perf_counter() - start < 5, time.strftime("%Y", time.gmtime(0)))
print(sys.getsizeof([]) > 0, sys.maxsize > 2 ** 31, sys.float_info.epsilon, sys.getrecursionlimit() >= 1000)
if hasattr(sys, "set_int_max_str_digits"):
    print("ints are limited")
os.environ["LANGUAGE_CHOICE"] = "nb"
print(os.environ["LANGUAGE_CHOICE"], os.path.expandvars("$LANGUAGE_CHOICE/x"), os.path.expanduser("~") != "~")
print(sys.platform.startswith("linux"), os.name, os.cpu_count() >= 1, sys.stdout.isatty() in (True, False))
