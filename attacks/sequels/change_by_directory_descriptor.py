"""Make and rename relative to a directory's descriptor.

Held by: hook
Landlock: holds
"""
import os

bundle = os.open(DATA, os.O_RDONLY)
for way in (
    lambda: os.mkdir("made", dir_fd=bundle),
    lambda: os.rename("visits.csv", "gone.csv", src_dir_fd=bundle, dst_dir_fd=bundle),
    lambda: os.remove("visits.csv", dir_fd=bundle),
):
    try:
        way()
        print("ESCAPED:change_by_directory_descriptor", os.listdir(DATA))
    except OSError as error:
        refused = error
raise refused
