"""warnings.deprecated puts functions of its own in place of a class's __new__, a library's too."""
import json
import warnings

before = json.JSONDecoder.__new__
warnings.simplefilter("error")
warnings.deprecated("gone", category=RuntimeWarning)(json.JSONDecoder)
try:
    json.loads("[1]", cls=json.JSONDecoder)
except RuntimeWarning:
    print("ESCAPED:deprecated_library_class")
