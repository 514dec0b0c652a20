"""Writes into what globals() gives, so that a builtin's name means something that was not there when the script was read."""


def value():
    return len("abc")


for write in (lambda: globals().update(len=lambda text: "replaced"), lambda: dict.__setitem__(globals(), "len", lambda text: "replaced")):
    try:
        write()
    except TypeError:
        continue
print("ESCAPED:names_written_back" if value() == "replaced" else "held")
