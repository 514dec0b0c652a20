"""codecs, which json uses, opens files."""
import json

with json.codecs.open("@CANARY@") as file:
    print("ESCAPED:json_codecs_open" if file.read().startswith("canary:") else "held")
