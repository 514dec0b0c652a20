"""Give the hook one path and the system call another one.

Held by: hook
Landlock: holds
"""
import os


class Text(str):
    def __str__(self):
        return "mine.txt"

    def startswith(self, *args):
        return True

    def split(self, *args):
        return ["mine.txt"]

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class Path:
    turns = 0

    def __fspath__(self):
        Path.turns += 1
        return "mine.txt" if Path.turns % 2 else "@CANARY@"


class Flags(int):
    def __and__(self, other):
        return 0

    __rand__ = __and__


open("mine.txt", "w").close()
for way in (
    lambda: open(Text("@CANARY@")).read(),
    lambda: os.read(os.open(Text("@CANARY@"), os.O_RDONLY), 99),
    lambda: os.read(os.open(Path(), os.O_RDONLY), 99) or os.read(os.open(Path(), os.O_RDONLY), 99),
    lambda: os.open("@OUTSIDE@/lie", Flags(os.O_WRONLY | os.O_CREAT)),
    lambda: open("sub/../../outside/canary.txt").read(),
    lambda: open(b"@CANARY@").read(),
):
    try:
        print("ESCAPED:lying_paths", way())
    except OSError as error:
        refused = error
raise refused
