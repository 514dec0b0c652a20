"""EnumType._convert_ makes members of any module's globals."""
import enum

found = getattr(enum.Enum, "_conv" + "ert_")("Found", "os", lambda name: name == "sys")
for member in found:
    print("ESCAPED:enum_convert", member.value.modules["posix"].getpid())
