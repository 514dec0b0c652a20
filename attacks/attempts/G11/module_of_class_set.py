"""A library's class is told that it is the script's, by setattr and by its metaclass's."""
import json

for write in (setattr, type.__setattr__, type(json.JSONEncoder).__setattr__):
    try:
        write(json.JSONEncoder, "__module__", "__main__")
    except Exception:
        continue
    json.JSONEncoder.encode = lambda self, o: "replaced"
if json.JSONEncoder().encode(1) == "replaced":
    print("ESCAPED:module_of_class_set")
