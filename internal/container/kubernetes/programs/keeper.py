"""Stands between the runner and a sandbox, in a container of its own beside it.

The runner speaks to it by lines, and hears frames: a letter, a length of four bytes, and that
much. It makes the two pipes to the sandbox's first process, hands on what is said through
them, and reads the output once that process has let go of them and the runner says that the
sandbox has ended. When the runner goes, it goes, and with its pipe the sandbox.
"""

import hashlib
import json
import os
import secrets
import select
import signal
import stat
import struct
import sys
import tarfile

CONTROL = "/control"
OUTPUT = "/output"
CHUNK = 1 << 16
OPEN_S = 120  # for how long it waits for the other side of its pipes


def send(letter, content):
    frame = letter + struct.pack(">I", len(content)) + content
    while frame:
        frame = frame[os.write(1, frame) :]


class Lines:
    """The lines that come out of a descriptor."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.rest = b""

    def read(self):
        """Return the lines that are there, or None at the end."""
        chunk = os.read(self.descriptor, CHUNK)
        if not chunk:
            return None
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        return lines


class Frames:
    """A file of which each write is a frame, and whose sum goes into the last one."""

    def __init__(self):
        self.sum = hashlib.sha256()
        self.bytes = 0

    def write(self, content):
        """Send it, and return how many bytes it had."""
        for start in range(0, len(content), CHUNK):
            part = bytes(content[start : start + CHUNK])
            self.sum.update(part)
            self.bytes += len(part)
            send(b"T", part)
        return len(content)

    def end(self):
        """Send the sum of all that was written."""
        send(b"E", json.dumps({"bytes": self.bytes, "sha256": self.sum.hexdigest()}).encode())


class TooMuch(Exception):
    """There is more than an output may hold."""


class Archive:
    """Writes what is below a directory, whatever it is, and follows nothing.

    Nobody changes it any more. Names are looked up from the directory above; what their owner
    may not read, the same user may make readable. What is more than the capacity is not read:
    an entry that is larger than that stands for it, which no reader lets pass.
    """

    PATH_BYTES = 4096
    NAMES_BYTES = 64 << 20  # of all paths: who unpacks them holds no more

    def __init__(self, to, capacity):
        self.tar = tarfile.open(fileobj=to, mode="w|", format=tarfile.PAX_FORMAT, bufsize=CHUNK)
        self.seen = {}
        self.bytes, self.files = capacity["bytes"], capacity["files"] + 1  # and the top
        self.most = self.bytes + 1
        self.names = self.NAMES_BYTES

    def write(self, top):
        """Write the directory, or what stands for one that is too much."""
        try:
            self.all(top)
        except TooMuch:
            info = tarfile.TarInfo(f"{os.path.basename(top)}/{secrets.token_hex(16)}")
            info.size = self.most
            self.tar.fileobj.write(info.tobuf(self.tar.format, self.tar.encoding, self.tar.errors))
            self.tar.fileobj.close()
        else:
            self.tar.close()

    def all(self, top):
        """Write the directory and all below it."""
        directory = os.open(top, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        self.add(os.path.basename(top), os.fstat(directory), None)
        waiting = [(directory, os.path.basename(top), os.scandir(directory))]
        while waiting:
            directory, path, entries = waiting[-1]
            entry = next(entries, None)
            if entry is None:
                entries.close()
                os.close(directory)
                waiting.pop()
                continue
            below = self.entry(directory, entry.name, f"{path}/{entry.name}")
            if below is not None:
                waiting.append((below, f"{path}/{entry.name}", os.scandir(below)))

    def entry(self, directory, name, path):
        """Write one entry, and return the directory that it opened, or None."""
        if len(os.fsencode(path)) > self.PATH_BYTES:
            raise TooMuch
        found = os.stat(name, dir_fd=directory, follow_symlinks=False)
        if stat.S_ISDIR(found.st_mode):
            self.add(path, found, None)
            return self.open(directory, name, found, os.O_DIRECTORY)
        if stat.S_ISLNK(found.st_mode):
            self.add(path, found, None, os.readlink(name, dir_fd=directory))
        elif found.st_nlink > 1 and found.st_ino in self.seen:
            self.add(path, found, None, self.seen[found.st_ino], tarfile.LNKTYPE)
        elif stat.S_ISREG(found.st_mode):
            if found.st_nlink > 1:
                self.seen[found.st_ino] = path
            with open(self.open(directory, name, found, 0), "rb") as content:
                self.add(path, found, content)
        else:
            self.add(path, found, None)
        return None

    @staticmethod
    def open(directory, name, found, flag):
        """Open an entry for reading, whose owner may have forbidden that."""
        wanted = stat.S_IRUSR | (stat.S_IXUSR if flag else 0)
        if found.st_mode & wanted != wanted:
            os.chmod(name, stat.S_IMODE(found.st_mode) | wanted, dir_fd=directory)
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | flag, dir_fd=directory)

    def add(self, path, found, content, target="", kind=None):
        """Write one entry, of as much as there was when it was looked at."""
        info = tarfile.TarInfo(path)
        info.mode = stat.S_IMODE(found.st_mode)
        info.mtime = int(found.st_mtime)
        info.linkname = target
        info.type = kind or self.kind(found.st_mode)
        self.files -= 1
        self.names -= len(os.fsencode(path))
        if content is not None:
            info.size = found.st_size
            self.bytes -= info.size
        if min(self.files, self.bytes, self.names) < 0:
            raise TooMuch
        self.tar.addfile(info, content)
        self.tar.members.clear()  # of those that were written, which it would keep

    @staticmethod
    def kind(mode):
        """Return the archive's type of an entry."""
        for test, letter in (
            (stat.S_ISREG, tarfile.REGTYPE),
            (stat.S_ISDIR, tarfile.DIRTYPE),
            (stat.S_ISLNK, tarfile.SYMTYPE),
            (stat.S_ISFIFO, tarfile.FIFOTYPE),
            (stat.S_ISCHR, tarfile.CHRTYPE),
            (stat.S_ISBLK, tarfile.BLKTYPE),
        ):
            if test(mode):
                return letter
        return b"Z"  # a socket, for which tar has no type


class Keeper:
    """The two pipes to the sandbox's first process, and the lines from the runner."""

    def __init__(self):
        for name in ("end", "words"):
            os.mkfifo(f"{CONTROL}/{name}", 0o600)
        signal.alarm(OPEN_S)
        self.end = os.open(f"{CONTROL}/end", os.O_WRONLY | os.O_CLOEXEC)
        self.words = Lines(os.open(f"{CONTROL}/words", os.O_RDONLY | os.O_CLOEXEC))
        signal.alarm(0)
        for name in ("end", "words"):
            os.unlink(f"{CONTROL}/{name}")
        self.runner = Lines(0)
        self.poll = select.poll()
        self.over = False
        for lines in (self.runner, self.words):
            self.poll.register(lines.descriptor, select.POLLIN)

    def serve(self):
        """Hand on what comes, until the runner has no more to ask or is gone."""
        while True:
            for descriptor, _ in self.poll.poll():
                if descriptor == self.words.descriptor:
                    self.hear()
                elif not self.obey():
                    return

    def hear(self):
        """Hand on what the sandbox's first process says, and that it has ended."""
        lines = self.words.read()
        if lines is None:
            self.poll.unregister(self.words.descriptor)
            self.over = True
            lines = [b'{"over": true}']
        for line in lines:
            send(b"W", line)

    def obey(self):
        """Do what the runner asks for; False when there is nothing to do any more."""
        lines = self.runner.read()
        for line in lines or ():
            word, _, rest = line.partition(b" ")
            if word == b"begin":
                os.write(self.end, rest + b"\n")
            elif word == b"end" and self.end is not None:
                os.close(self.end)
                self.end = None
            elif word == b"read":
                self.read(json.loads(rest))
            elif word == b"done":
                return False
        return lines is not None

    def read(self, capacity):
        """Send the output."""
        if not self.over:
            sys.exit("the sandbox has not ended")
        frames = Frames()
        Archive(frames, capacity).write(OUTPUT)
        frames.end()


Keeper().serve()
