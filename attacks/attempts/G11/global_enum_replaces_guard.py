"""enum.global_enum writes members into the module that the functional API names: here into the guard's rules.

Selected: yes
"""
import enum


class Everything(str):
    def __call__(self, *args, **kwargs):
        return None


members = enum.Enum("E", {"attribute_refusal": "x"}, module="hotcell_guard.vetting._rules", type=Everything)
enum.global_enum(members)
print("ESCAPED:global_enum_replaces_guard", getattr(enum, "sy" + "s").modules["posix"].getpid())
