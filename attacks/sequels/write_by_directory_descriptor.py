"""Open relative to a directory's descriptor, which the audit event does not name.

Held by: absence
Landlock: holds
"""
import os

bundle = os.open(DATA, os.O_RDONLY)
file = os.open("dropped.txt", os.O_WRONLY | os.O_CREAT, dir_fd=bundle)
os.write(file, b"ESCAPED")
if "dropped.txt" in os.listdir(DATA):
    print("ESCAPED:write_by_directory_descriptor")
