"""eval as a hook of the JSON decoder."""
import json

print("ESCAPED:json_hook", json.loads("[1e0]", parse_float=lambda text: eval("__import__('os').getpid()")))
