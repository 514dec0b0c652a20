"""Finds something in its environment that nobody meant for it.

Threats: C4
Contract: confidentiality
"""

MEANT = {
    "PATH", "HOME", "TMPDIR", "LANG", "LC_CTYPE", "TZ", "PYTHONHASHSEED", "SOURCE_DATE_EPOCH", "PYTHONDONTWRITEBYTECODE", "PYTHONUTF8",
    "MPLBACKEND", "MPLCONFIGDIR", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS",
}  # fmt: skip


def attack():
    with open("/proc/self/environ", "rb") as file:
        start = {entry.split(b"=")[0].decode() for entry in file.read().split(b"\0") if entry}
    return sorted(name for name in start | set(os.environ) if name not in MEANT and "THREADS" not in name) or None


run(attack)
