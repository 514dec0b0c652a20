"""A descriptor by its name below /proc."""
with open("@CANARY@") if False else open("/proc/self/environ", "rb") as file:
    print("ESCAPED:descriptor_directory", len(file.read()))
