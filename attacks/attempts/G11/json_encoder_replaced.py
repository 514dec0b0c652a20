"""The encoder that the report is written with is the script's: a function that is called after the script."""
import json


def encode(self, value):
    if isinstance(value, dict) and "outcome" in value:
        print("ESCAPED:json_encoder_replaced")
    return "{}"


json.JSONEncoder.encode = encode
json.JSONEncoder.iterencode = encode
