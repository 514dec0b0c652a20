"""typing.no_type_check, final and the like write into the class or function that they are given."""
import json
import typing

for write in (typing.no_type_check, typing.final, typing.override, typing.dataclass_transform(), typing.runtime_checkable):
    try:
        write(json.JSONEncoder)
    except Exception:
        continue
for name in ("__no_type_check__", "__final__", "__override__", "__dataclass_transform__"):
    if hasattr(json.JSONEncoder, name) or name in dir(json.JSONEncoder):
        print("ESCAPED:no_type_check_of_library_class", name)
