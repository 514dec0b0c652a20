"""Opens the process's descriptors by number."""
import io

file = io.FileIO(2, "w")
file.write(b"ESCAPED:descriptor_by_number\n")
