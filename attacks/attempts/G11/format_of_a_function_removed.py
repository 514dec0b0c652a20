"""The same by an assignment in place, and by del."""
import json

json.dumps.obj = 1
json.dumps.obj += 1
kept = vars(json.dumps).get("obj")
del json.dumps.obj
print("ESCAPED:format_of_a_function_removed" if kept == 2 else "held")
