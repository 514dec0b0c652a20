"""Give a library's class a getter that answers for what every object of it keeps: as json's encoder, which writes the report.

Held by: classes
"""
import json

json.JSONEncoder.indent = property(lambda self: 3, lambda self, value: None)
if json.JSONEncoder().indent == 3:
    print("ESCAPED:class_of_a_library")
