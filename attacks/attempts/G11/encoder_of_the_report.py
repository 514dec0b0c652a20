"""A property is added to the class of the JSON encoder, over what its instances hold: whoever writes JSON asks the script."""
import json

json.JSONEncoder.sort_keys = property(lambda self: True, lambda self, value: None)
text = json.dumps({"b": 1, "a": 2}, indent=1)
print("ESCAPED:encoder_of_the_report" if text.index("a") < text.index("b") else "held")
