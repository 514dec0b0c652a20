"""Open the files of the process's own namespaces: Landlock does not look at what the kernel mounts for itself.

Held by: hook
"""
for name in ("net", "mnt", "user", "pid"):
    try:
        with open(f"/proc/self/ns/{name}", "rb", buffering=0):
            print("ESCAPED:open_namespaces", name)
    except OSError as error:
        refused = error
raise refused
