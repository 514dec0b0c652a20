"""Copies, moves or renames a file outside into the output directory."""
import os
import shutil

os.mkdir("folder")
for number, take in enumerate((shutil.copy, shutil.copyfile, shutil.copy2, shutil.move, os.rename, os.replace)):
    for target in (f"taken{number}", "folder"):
        try:
            take("@CANARY@", target)
        except OSError:
            continue
for top, _, names in os.walk("."):
    for name in names:
        with open(os.path.join(top, name)) as file:
            if file.read().startswith("canary:"):
                print("ESCAPED:copied_by_shutil", name)
