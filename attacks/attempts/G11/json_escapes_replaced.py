"""The function that json writes strings with is the script's."""
import json


def escape(text):
    if text == "outcome":
        print("ESCAPED:json_escapes_replaced")
    return '""'


json.encoder.encode_basestring_ascii = escape
json.encoder.c_make_encoder = None
