"""Read a file outside the zones with whatever of the standard library opens files.

Held by: hook
Landlock: holds
"""
import codecs
import fileinput
import importlib.machinery
import linecache
import pathlib
import shutil
import tokenize

ways = [
    lambda: codecs.open("@CANARY@").read(),
    lambda: tokenize.open("@CANARY@").read(),
    lambda: "".join(fileinput.input("@CANARY@")),
    lambda: linecache.getlines("@CANARY@")[0],
    lambda: pathlib.Path("@CANARY@").read_text(),
    lambda: importlib.machinery.SourceFileLoader("x", "@CANARY@").get_data("@CANARY@"),
    lambda: open(shutil.copyfile("@CANARY@", "copy.txt")).read(),
]
for way in ways:
    try:
        print("ESCAPED:read_through_standard_library", way())
    except (OSError, IndexError) as error:
        refused = error if isinstance(error, OSError) else None or refused
raise refused
