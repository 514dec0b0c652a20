"""A Path whose text is another one the second time, and a text that answers for itself, given to os and shutil."""
import os
import pathlib
import shutil


class Lie(pathlib.PurePosixPath):
    times = 0

    def __str__(self):
        Lie.times += 1
        return "mine" if Lie.times % 3 else "@CANARY@"


class Text(str):
    def startswith(self, *args):
        return True

    def split(self, *args):
        return ["mine"]


open("mine", "w").close()
for number in range(6):
    for path in (Lie("mine"), Text("@CANARY@")):
        try:
            shutil.copyfile(path, f"copy{number}")
            if os.stat(f"copy{number}").st_size:
                print("ESCAPED:path_that_lies_to_os", number)
        except OSError:
            continue
