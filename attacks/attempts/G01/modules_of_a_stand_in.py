"""Goes on from os, sys, shutil, tempfile, glob and inspect to what Python's own hold."""
import glob
import inspect
import os
import shutil
import sys
import tempfile

for module, name in (
    (sys, "meta_path"), (os, "abc"), (os, "st"), (os, "environb"), (os, "fwalk"), (shutil, "fnmatch"),
    (shutil, "collections"), (tempfile, "_os"), (tempfile, "_io"), (glob, "itertools"), (glob, "os"), (inspect, "sys"),
    (inspect, "linecache"), (inspect, "importlib"), (os.path, "genericpath"), (os, "DirEntry"), (os, "stat_result"),
):  # fmt: skip
    found = getattr(module, name, None)
    if found is not None:
        print("ESCAPED:modules_of_a_stand_in", name, found)
        break
