"""traceback tells what the variables of a library's frames hold."""
import json
import traceback

try:
    json.loads("x")
except ValueError as error:
    for frame in traceback.TracebackException.from_exception(error, capture_locals=True).stack:
        if frame.name != "<module>":
            print("ESCAPED:locals_of_a_traceback", frame.locals)
