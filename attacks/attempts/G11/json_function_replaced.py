"""json.dumps itself is the script's."""
import json


def dumps(value, **options):
    if isinstance(value, dict) and "outcome" in value:
        print("ESCAPED:json_function_replaced")
    return "{}"


json.dumps = dumps
