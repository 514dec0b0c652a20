"""Changes the working directory, so that relative names mean another place."""
import contextlib

with contextlib.chdir("@OUTSIDE@"):
    with open("canary.txt") as file:
        print("ESCAPED:temporary_directory" if file.read().startswith("canary:") else "held")
