"""Build the image's root file system from what stays of a Debian tree.

Usage, inside a Debian tree (by chroot, or in a Dockerfile's build stage):
    python3 -sBP select.py TARGET

The tree is left as it is. TARGET gets, by hard link or copy, what is listed here
and nothing else: Python, the packages below, their shared libraries, and the few
files of /etc that libc and Python read. A shell, a package manager or a setuid
file is not removed but never selected.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import translate

PYTHON = "python3.13"
STDLIB = f"/usr/lib/{PYTHON}"
PACKAGES = "/usr/lib/python3/dist-packages"
CERTIFICATES = "/usr/share/ca-certificates/mozilla"
MULTIARCH = sys.implementation._multiarch

KEPT_FILES = (
    "/usr/bin/python3",
    "/etc/debian_version",
    "/etc/matplotlibrc",
    "/etc/os-release",
)

KEPT_TREES = (
    STDLIB,
    "/usr/share/matplotlib/mpl-data",
    "/usr/share/python3-plotly",
    "/usr/share/zoneinfo",
)

# Top-level names below PACKAGES. What Debian's dependencies bring and the
# analysis packages import only on demand is left out: sympy, lxml, dns, nbformat
# and their like are large, and some of them evaluate strings.
KEPT_PACKAGES = frozenset(
    """
    PIL _plotly_future_ _plotly_utils _yaml annotated_types bs4 certifi
    charset_normalizer contourpy cycler dateutil email_validator et_xmlfile fontTools
    html5lib idna jinja2 jmespath kiwisolver markupsafe matplotlib mpl_toolkits
    networkx numpy openpyxl packaging pandas patsy plotly pydantic pydantic_core pylab pypdf pyparsing
    pytz requests scipy seaborn six sklearn soupsieve statsmodels tabulate tenacity tqdm
    typing_extensions urllib3 webencodings yaml
    """.split()
)

# Distributions whose metadata directory is not called as their package.
KEPT_METADATA = frozenset("beautifulsoup4 fonttools pillow python_dateutil pyyaml scikit_learn".split())

# Modules of the recipe's own, under other paths than Debian's of the same names have,
# which are not selected: those start processes, pickle and call C by ctypes.
INSTEAD = "/hotcell-instead"
WRITTEN_HERE = {"joblib.py": "joblib.py", "threadpoolctl.py": "threadpoolctl/__init__.py"}

# Patterns of fnmatch on the whole path; * also matches "/".
DROPPED = (
    "*/__pycache__",
    # Source and headers of compiled code, stubs and static libraries.
    *(
        f"*.{suffix}"
        for suffix in "a c cc cpp f f90 h hpp pxd pxi pyi pyx src exe in map".split()
    ),
    f"{PACKAGES}/*/include",
    f"{PACKAGES}/numpy/*/lib",
    f"{PACKAGES}/numpy/f2py/src",
    f"{PACKAGES}/scipy/special/_precompute",
    f"{PACKAGES}/*/tests",
    f"{PACKAGES}/*/conftest.py",
    f"{PACKAGES}/matplotlib/backends/web_backend",
    f"{PACKAGES}/matplotlib/backends/_tkagg.*",
    f"{PACKAGES}/matplotlib/sphinxext",
    f"{PACKAGES}/PIL/ImageTk.py",
    f"{PACKAGES}/PIL/_imagingtk.*",
    "/usr/share/matplotlib/mpl-data/plot_directive",
    "/usr/share/zoneinfo/posix",
    "/usr/share/zoneinfo/right",
    "/usr/share/zoneinfo/localtime",
    *(
        f"{STDLIB}/{name}"
        for name in """
        EXTERNALLY-MANAGED LICENSE.txt config-3.13-* curses ensurepip idlelib
        lib2to3 pydoc_data sitecustomize.py test tkinter turtle.py turtledemo venv
        """.split()
    ),
    *(
        f"{STDLIB}/lib-dynload/{name}.*"
        for name in """
        _ctypes_test _curses _curses_panel _dbm _gdbm _test* _tkinter _xxtestfuzz
        readline xxlimited*
        """.split()
    ),
)

# Below a dropped directory, but imported by a public module (numpy.testing).
KEPT_ANYWAY = frozenset(
    f"{PACKAGES}/numpy/_core/tests{name}" for name in ("", "/__init__.py", "/_natype.py")
)

# Mount points. A read-only root needs them in place, also those over which only
# some engines mount: Docker mounts /sys and the empty files. Nobody but root enters /root:
# there a kubelet mounts a file that anybody could write, and puts it into the cluster's store.
DIRECTORIES = "/bundle /dev /output /proc /root /run /sys /tmp".split()
EMPTY_FILES = "/etc/hostname /etc/hosts /etc/resolv.conf".split()

# uid 65532 is the guard's; it owns nothing.
WRITTEN = {
    "/etc/passwd": "root:x:0:0:root:/:/nonexistent\nnonroot:x:65532:65532:nonroot:/tmp:/nonexistent\n",
    "/etc/group": "root:x:0:\nnonroot:x:65532:\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
LINKS = {
    "/lib": "usr/lib",
    "/lib64": "usr/lib64",
    "/etc/localtime": "/usr/share/zoneinfo/Etc/UTC",
}

# Whoever runs a program that he cannot read is a process that is never dumpable,
# from the first instant: another process of the same uid, which is one of the host's
# where an engine has no user namespace, cannot get at it through /proc/PID/root.
# gVisor has to read the program that it runs, and its guest's processes do not exist
# on the host: for it there is a copy.
UNREADABLE = f"/usr/bin/{PYTHON}"
READABLE = "/usr/bin/python3-readable"

# update-alternatives runs in maintainer scripts. The reference BLAS gives the
# same bits on every x86-64 processor, which a repeatable study needs.
ALTERNATIVES = {
    f"/usr/lib/{MULTIARCH}/libblas.so.3": "blas/libblas.so.3",
    f"/usr/lib/{MULTIARCH}/liblapack.so.3": "lapack/liblapack.so.3",
}

_DROPPED = re.compile("|".join(translate(pattern) for pattern in DROPPED))
_LOADER_LINE = re.compile(r"^\s*(?:\S+ => )?(?P<path>/\S+) \(0x[0-9a-f]+\)$")


class Selection:
    """The paths that stay. A symlink brings what it points to."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.links: set[str] = set()

    def add(self, path: str) -> None:
        """Keep path, what it points to, and what is below it."""
        path = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if path in self.files or path in self.links or is_dropped(path):
            return
        if os.path.islink(path):
            self.links.add(path)
            self.add(os.path.join(os.path.dirname(path), os.readlink(path)))
        elif os.path.isdir(path):
            for name in sorted(os.listdir(path)):
                self.add(os.path.join(path, name))
        elif os.path.isfile(path):
            self.files.add(path)
        else:
            raise SystemExit(f"select: {path} is neither file, directory nor link")

    def add_shared_libraries(self) -> None:
        """Add what the selected programs and extension modules load at start."""
        loader = program_interpreter(os.path.realpath("/usr/bin/python3"))
        self.add(loader)
        for path in sorted(filter(is_elf, self.files)):
            for library in shared_libraries(loader, path):
                self.add(library)


def is_dropped(path: str) -> bool:
    return path not in KEPT_ANYWAY and _DROPPED.fullmatch(path) is not None


def is_elf(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def program_interpreter(program: str) -> str:
    """Return the dynamic loader that an ELF program asks for."""
    with open(program, "rb") as file:
        found = re.search(rb"/lib\S*/ld-linux\S*?(?=\0)", file.read(1 << 16))
    if found is None:
        raise SystemExit(f"select: {program} names no dynamic loader")
    return found.group().decode("ascii")


def shared_libraries(loader: str, path: str) -> Iterator[str]:
    listed = subprocess.run(
        [loader, "--list", path], env={}, capture_output=True, text=True, check=False
    )
    if "statically linked" in listed.stdout:
        return
    if listed.returncode != 0 or "not found" in listed.stdout:
        raise SystemExit(f"select: {path} lacks libraries: {listed.stdout}{listed.stderr}")
    for line in listed.stdout.splitlines():
        if found := _LOADER_LINE.match(line):
            yield found["path"]


def kept_package(name: str) -> bool:
    """Tell whether a top-level name in dist-packages stays."""
    if name.endswith((".dist-info", ".egg-info")):
        distribution = name.partition("-")[0]
        kept = {package.lower() for package in KEPT_PACKAGES} | KEPT_METADATA
        return distribution.lower().replace("-", "_") in kept
    return name.partition(".")[0] in KEPT_PACKAGES


def select() -> Selection:
    selection = Selection()
    for path in (*KEPT_FILES, *KEPT_TREES):
        selection.add(path)
    for name in filter(kept_package, sorted(os.listdir(PACKAGES))):
        selection.add(os.path.join(PACKAGES, name))
    selection.add_shared_libraries()
    return selection


def link_alternatives() -> None:
    for path, target in ALTERNATIVES.items():
        if not os.path.lexists(path):
            os.symlink(target, path)


def certificates() -> str:
    """Join the certificate authorities; requests is not importable without them."""
    texts = []
    for name in sorted(os.listdir(CERTIFICATES)):
        with open(os.path.join(CERTIFICATES, name), encoding="ascii") as file:
            texts.append(file.read().rstrip("\n") + "\n")
    return "".join(texts)


def make_directory(path: str) -> None:
    os.makedirs(path, mode=0o755, exist_ok=True)


def write_file(target: str, path: str, text: str) -> None:
    make_directory(target + os.path.dirname(path))
    with open(target + path, "x", encoding="ascii") as file:
        file.write(text)


def populate(target: str, selection: Selection) -> None:
    for path in DIRECTORIES:
        make_directory(target + path)
    os.chmod(target + "/root", 0o700)
    for path, goal in LINKS.items():
        make_directory(target + os.path.dirname(path))
        os.symlink(goal, target + path)
    for path in sorted(selection.files):
        make_directory(target + os.path.dirname(path))
        os.link(path, target + path)
    os.rename(target + UNREADABLE, target + READABLE)
    shutil.copy2(UNREADABLE, target + UNREADABLE)
    os.chmod(target + UNREADABLE, 0o711)
    for path in sorted(selection.links):
        make_directory(target + os.path.dirname(path))
        os.symlink(os.readlink(path), target + path)
    for name, path in WRITTEN_HERE.items():
        with open(f"{INSTEAD}/{name}", encoding="ascii") as file:
            write_file(target, f"{PACKAGES}/{path}", file.read())
    for path in EMPTY_FILES:
        write_file(target, path, "")
    for path, text in WRITTEN.items():
        write_file(target, path, text)
    write_file(target, "/etc/ssl/certs/ca-certificates.crt", certificates())


def cache_libraries(target: str) -> None:
    """Write ld.so.cache: without it each of Python's libraries is searched for."""
    subprocess.run(
        ["/usr/sbin/ldconfig", "-X", "-i", "-f", "/dev/null", "-r", target], env={}, check=True
    )


def main() -> None:
    target = sys.argv[1]
    os.umask(0o022)
    link_alternatives()
    populate(target, select())
    cache_libraries(target)


main()
