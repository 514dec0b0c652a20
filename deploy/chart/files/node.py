"""Puts seccomp profiles where the kubelet looks for them, and looks again and again.

A profile's name is the sum of its content. So what is there is right or is replaced, and what
is to be put there is right or is refused. With --check it only looks, once.
"""

import hashlib
import os
import sys
import time

SOURCE = "/profiles"
TARGET = "/seccomp/hotcell"
PAUSE = 30
MOST = 1 << 20


def content(path):
    """Return a file's content, or None for what is absent, no regular file or too large."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        try:
            read = file.read(MOST + 1)
        except OSError:  # a directory
            return None
    return read if len(read) <= MOST else None


def wanted():
    """Return the profiles by name. One whose name is not its sum ends this program."""
    profiles = {}
    for name in sorted(os.listdir(SOURCE)):
        if not name.endswith(".json"):
            continue  # the kubelet's own, of which the others are links
        with open(f"{SOURCE}/{name}", "rb") as file:
            profile = file.read(MOST)
        if hashlib.sha256(profile).hexdigest() + ".json" != name:
            sys.exit(f"{SOURCE}/{name} is not what its name says: apply the release's own ConfigMap again")
        profiles[name] = profile
    if not profiles:
        sys.exit(f"{SOURCE} has no profile: apply the release's own ConfigMap again")
    return profiles


def wrong(profiles):
    """Return the names of those that are not as they should be."""
    return [name for name, profile in profiles.items() if content(f"{TARGET}/{name}") != profile]


def put(name, profile):
    """Write a profile whole or not at all."""
    draft = f"{TARGET}/.{name}.new"
    if os.path.lexists(draft):
        os.unlink(draft)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
    with open(descriptor, "wb") as file:
        file.write(profile)
        file.flush()
        os.fchmod(file.fileno(), 0o644)
        os.fsync(file.fileno())
    os.replace(draft, f"{TARGET}/{name}")


def main():
    """Repair for ever, or look once."""
    if sys.argv[1:] == ["--check"]:
        faults = wrong(wanted())
        sys.exit(f"the node lacks {', '.join(faults)}" if faults else 0)
    while True:
        profiles = wanted()
        for name in wrong(profiles):
            put(name, profiles[name])
            print(f"put {name}", flush=True)
        time.sleep(PAUSE)


main()
