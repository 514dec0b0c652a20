import os
import platform
import sys
import time
from datetime import datetime
from pathlib import Path


def report():
    info = {
        "system": platform.system(),
        "python": ".".join(map(str, sys.version_info[:2])),
        "impl": platform.python_implementation(),
        "cwd_exists": os.path.isdir(os.getcwd()),
        "home": bool(os.path.expanduser("~")),
        "cpus": (os.cpu_count() or 1) >= 1,
        "script": Path(__file__).suffix,
        "argv": len(sys.argv),
        "sep": os.sep,
        "machine": platform.machine() != "",
    }
    width = max(map(len, info))
    for key, value in info.items():
        print(f"{key:>{width}}: {value}")
    return info


if __name__ == "__main__":
    start = time.perf_counter()
    report()
    print(f"{time.perf_counter() - start:.0f} s, year ok: {datetime.now().year >= 2024}")
    print(platform.platform() != "", platform.release() != "", platform.uname().system, platform.architecture()[0])
