"""Read the process's own memory map, environment and memory below /proc.

Held by: hook
Landlock: holds
"""
for name in ("maps", "environ", "mem", "auxv", "stack"):
    try:
        with open(f"/proc/self/{name}", "rb", buffering=0) as file:
            print("ESCAPED:read_process_files", name, file.read(16))
    except OSError as error:
        refused = error
raise refused
