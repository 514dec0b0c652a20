"""Takes what a library's function has as a default from its signature: one that copies any file."""
import inspect
import pathlib
import shutil
import tempfile

for function, name in ((shutil.copytree, "copy_function"), (shutil.move, "copy_function"), (pathlib.Path.open, "mode")):
    default = inspect.signature(function).parameters[name].default
    try:
        default("@CANARY@", "taken")
    except (OSError, TypeError):
        continue
    print("ESCAPED:default_by_signature" if open("taken").read().startswith("canary:") else "held")
    break
